/* Cores near a GPU. */
#ifndef ISOTHERM_KERNELS_CUDA_AFFINITY_H
#define ISOTHERM_KERNELS_CUDA_AFFINITY_H

/* Lets this process run only on cores of the GPU's NUMA node, where the system tells it and at
 * least one of them is allowed; otherwise nothing changes. Before the runtime starts its threads.
 */
void affinity_follow_device(const char *pci_address);

#endif
