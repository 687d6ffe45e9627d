import { type Command, InvalidArgumentError } from 'commander';
import { command, type CommandRow } from '../lib/command.js';

export const COMPLETION_ROWS: readonly CommandRow[] = [
  command('completion', 'print shell completions: source <(comanda completion bash)', {
    takes: [['<shell>', 'bash or zsh', toShell]],
    run: ({ program, terminal }, { shell }) => {
      terminal.stdout.write(shell === 'bash' ? writeBash(program) : writeZsh(program));
    },
  }),
];

function toShell(text: string): 'bash' | 'zsh' {
  if (text === 'bash' || text === 'zsh') return text;
  throw new InvalidArgumentError('Expected bash or zsh.');
}

/** What may follow each command: its subcommands, its flags and the global flags. */
function listWords(program: Command): { path: string; words: string }[] {
  const flagsOf = (command: Command) =>
    command.options.flatMap(({ long }) => (long === undefined ? [] : [long]));
  const common = [...flagsOf(program), '--help'];
  const visit = (command: Command, path: string): { path: string; words: string }[] => {
    const words = [...command.commands.map((child) => child.name()), ...flagsOf(command), ...common];
    return [
      { path, words: [...new Set(words)].join(' ') },
      ...command.commands.flatMap((child) => visit(child, `${path}/${child.name()}`)),
    ];
  };
  return visit(program, '');
}

/** Both shells follow the words so far down the command tree, and offer files where nothing matches. */
function walk(program: Command, words: string, first: number, last: string): string {
  const rows = listWords(program);
  return `  local at='' i
  for ((i = ${first}; i < ${last}; i++)); do
    case "$at/\${${words}[i]}" in
      ${rows
        .filter(({ path }) => path !== '')
        .map(({ path }) => path)
        .join('|')}) at="$at/\${${words}[i]}" ;;
    esac
  done
  local found=''
  case "$at" in
${rows.map(({ path, words: offered }) => `    '${path}') found='${offered}' ;;`).join('\n')}
  esac
`;
}

function writeBash(program: Command): string {
  return `_comanda() {
${walk(program, 'COMP_WORDS', 1, 'COMP_CWORD')}  COMPREPLY=($(compgen -W "$found" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _comanda comanda
`;
}

function writeZsh(program: Command): string {
  return `#compdef comanda
_comanda() {
${walk(program, 'words', 2, 'CURRENT')}  compadd -- \${=found} || _files
}
compdef _comanda comanda
`;
}
