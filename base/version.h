#ifndef ISOTHERM_BASE_VERSION_H
#define ISOTHERM_BASE_VERSION_H

/* "0.1.0 (abc1234)": the version and the git revision it was built from, with "-dirty" when files
 * differed from it, "unknown" outside a checkout. */
const char *version_text(void);

#endif
