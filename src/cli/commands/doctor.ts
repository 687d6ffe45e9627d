import type { Command } from 'commander';
import { examineInstallation } from '../doctor/examine-installation.js';
import { examineService } from '../doctor/examine-service.js';
import type { Finding } from '../doctor/finding.js';
import { CommandFailed, EXIT } from '../exit-codes.js';
import { toPlain } from '../plain-text.js';
import { setAction } from '../command-context.js';
import { readSettings } from '../settings.js';
import { paint, writeLine, type Terminal } from '../terminal.js';
import { wrapTo } from '../text-width.js';

export function addDoctorCommand(program: Command, terminal: Terminal): void {
  const doctor = program
    .command('doctor')
    .description('say what is wrong, with this machine and with the service, and what to do')
    .option('--local', 'only this machine: what `comanda serve` would meet')
    .option('--remote', 'only the service and the key');
  setAction(doctor, terminal, async ({ out, flags }, options: { local?: boolean; remote?: boolean }) => {
    const settings = await readSettings(flags, terminal.config);
    const findings = [
      ...(options.remote === true ? [] : await examineInstallation()),
      ...(options.local === true ? [] : await examineService(settings)),
    ];
    if (out.isJson) out.json(findings);
    else for (const finding of findings) show(terminal, finding);
    const wrong = findings.filter(({ state }) => state === 'wrong').length;
    if (wrong > 0)
      throw new CommandFailed(EXIT.failed, `${wrong} ${wrong === 1 ? 'thing is' : 'things are'} wrong.`);
  });
}

const INDENT = '       ';
const LOOKS = { fine: ['green', 'ok   '], remark: ['yellow', 'note '], wrong: ['red', 'wrong'] } as const;

function show(terminal: Terminal, { state, what, todo }: Finding): void {
  const [style, word] = LOOKS[state];
  const texts = todo === undefined ? [what] : [what, todo];
  const [first, ...rest] = texts.flatMap((text) => wrapFor(terminal, toPlain(text)));
  writeLine(terminal.stdout, `${paint(terminal, style, word)}  ${first ?? ''}`);
  for (const line of rest) writeLine(terminal.stdout, `${INDENT}${line}`);
}

function wrapFor({ isForPeople, columns }: Terminal, text: string): string[] {
  return isForPeople ? wrapTo(text, columns - INDENT.length) : [text];
}
