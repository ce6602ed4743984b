# Completion of isotherm's command line for bash.

# What the result among the words holds; without one, what every result does.
_isotherm_fields() {
    local word
    for word in "${COMP_WORDS[@]:2}"; do
        if [[ $word == *.h5 && -f $word ]]; then
            "${COMP_WORDS[0]}" plot "$word" --field list 2>/dev/null | cut -d' ' -f1
            return
        fi
    done
    printf '%s\n' temperature material energy heat_left heat_right heat_bottom heat_top heat_fixed \
        heat_sources heat_loss residual step
}

_isotherm() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
    local command=${COMP_WORDS[1]} options='' files=''
    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
        mapfile -t COMPREPLY < <(compgen -W \
            'run check info plot export compare devices bench --help --version' -- "$word")
        return
    fi
    case $command:$before in
    *:--backend) options='auto cuda cpu' ;;
    *:--progress) options='auto bar plain json none' ;;
    *:--precision) options='double single' ;;
    *:--transport) options='auto ipc host' ;;
    *:--format) options='csv raw' ;;
    *:--time) options='last all' ;;
    *:--unit) options='K C' ;;
    *:--colormap) options='ember ocean meadow grey balance' ;;
    plot:--field) options="list $(_isotherm_fields)" ;;
    *:--field) options='temperature heat_flux_x heat_flux_y gradient material' ;;
    *:--ranks | *:--set | *:--range | *:--middle | *:--line | *:--contours | *:--tolerance | *:--cells | *:--seconds | *:--depth)
        return
        ;;
    run:--output | check:--output)
        mapfile -t COMPREPLY < <(compgen -d -- "$word")
        return
        ;;
    *:-o | *:--output | *:--probes) files='*' ;;
    run:*)
        options='--ranks --backend --set --output --resume --overwrite --quiet --progress --watch --help'
        files='*.cfg'
        ;;
    check:*)
        options='--ranks --backend --set --output --resume --overwrite --json --help'
        files='*.cfg'
        ;;
    info:*)
        options='--field --json --help'
        files='*.h5'
        ;;
    plot:*)
        options='--output --time --range --middle --unit --colormap --field --line --contours --outlines --probes --help'
        files='*.@(h5|csv)'
        ;;
    export:*)
        options='--format --output --field --time --help'
        files='*.h5'
        ;;
    compare:*)
        options='--common --field --tolerance --bitwise --help'
        files='*.@(h5|csv)'
        ;;
    devices:*) options='--help' ;;
    bench:*)
        options='--backend --cells --ranks --seconds --json --one --depth --precision --transport --help'
        ;;
    esac
    if [[ -z $files || $word == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
        return
    fi
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(shopt -s extglob
        compgen -d -- "$word"
        compgen -f -X "!$files" -- "$word" | while IFS= read -r name; do
            [[ -d $name ]] || printf '%s\n' "$name"
        done)
}

complete -F _isotherm isotherm
