export interface Instruction {
  readonly name: string;
  readonly text: string;
}

/** The instructions of a Dockerfile, one list for each stage, continued lines joined; what precedes FROM comes first. */
export function readStages(dockerfile: string): Instruction[][] {
  const stages: Instruction[][] = [[]];
  const lines = dockerfile
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n')
    .replaceAll('\\\n', ' ');
  for (const line of lines.split('\n').filter((each) => each.trim() !== '')) {
    const [, name = '', text = ''] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
    if (name === '') throw new Error(`Not an instruction: ${line}`);
    if (name === 'FROM') stages.push([]);
    stages.at(-1)?.push({ name, text: text.replace(/\s+/g, ' ') });
  }
  return stages;
}

export function textsOf(stage: readonly Instruction[], name: string): string[] {
  return stage.filter((each) => each.name === name).map(({ text }) => text);
}
