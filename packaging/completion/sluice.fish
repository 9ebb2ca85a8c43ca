# Completion of sluice for fish: the program itself knows what may stand where ('sluice complete').

function __sluice_complete
    set -l words (commandline -opc)
    set -l word (commandline -ct)
    for line in (command $words[1] complete -- $words[2..-1] "$word" 2>/dev/null)
        switch $line
            case ':files'
                __fish_complete_path "$word"
            case ':folders'
                __fish_complete_directories "$word"
            case '*'
                echo $line
        end
    end
end

complete -c sluice -f -a '(__sluice_complete)'
