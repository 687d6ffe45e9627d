import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import { textsOf, type Instruction } from './dockerfile.js';

/** What the last stage of a Dockerfile leaves, in a folder instead of an image. */
export interface Image {
  readonly workdir: string;
  readonly environment: Record<string, string>;
}

/**
 * Runs the steps of a Dockerfile that copy files and call npm, each stage in a folder of its own. The folder stands for the
 * root, so /app is a folder in it. Steps that prepare the system itself (`install`) would need a container.
 */
export async function replay(
  stages: readonly (readonly Instruction[])[],
  folder: string,
  ignore: readonly string[],
): Promise<Image> {
  const roots = new Map<string, string>();
  let image: Image = { workdir: folder, environment: {} };
  for (const [index, stage] of stages.filter(isStage).entries()) {
    const root = join(folder, String(index));
    const name = / AS (\w+)$/.exec(stage[0]?.text ?? '')?.[1];
    if (name !== undefined) roots.set(name, root);
    image = await runStage(stage, { root, roots, ignore });
  }
  return image;
}

const isStage = ([first]: readonly Instruction[]) => first?.name === 'FROM';

interface Place {
  readonly root: string;
  /** The folders of the stages before. */
  readonly roots: ReadonlyMap<string, string>;
  readonly ignore: readonly string[];
}

async function runStage(stage: readonly Instruction[], place: Place): Promise<Image> {
  const workdir = join(place.root, textsOf(stage, 'WORKDIR')[0] ?? '');
  mkdirSync(workdir, { recursive: true });
  const environment = Object.fromEntries(
    textsOf(stage, 'ENV').flatMap((text) =>
      text.split(' ').map((pair) => pair.split('=') as [string, string]),
    ),
  );
  for (const { name, text } of stage) {
    if (name === 'COPY') copy(text, workdir, place);
    if (name === 'RUN' && !text.startsWith('install ')) await run(text, workdir, environment);
  }
  const dataDir = environment['COMANDA_DATA_DIR'];
  if (dataDir !== undefined) environment['COMANDA_DATA_DIR'] = join(place.root, dataDir);
  return { workdir, environment };
}

function copy(text: string, workdir: string, { roots, ignore }: Place): void {
  const [, from, paths = ''] = /^(?:--from=(\w+) )?(.*)$/.exec(text) ?? [];
  const words = paths.split(' ');
  const target = resolve(workdir, words.at(-1) ?? '.');
  const source = from === undefined ? '.' : roots.get(from);
  if (source === undefined) throw new Error(`No stage ${from} comes before: COPY ${text}`);
  const left = ignore.map((path) => join(source, path));
  for (const path of words.slice(0, -1).map((word) => join(source, word))) {
    const place = words.at(-1)?.endsWith('/') === true ? join(target, basename(path)) : target;
    const isKept = (each: string) => from !== undefined || !left.includes(relative('.', each));
    cpSync(path, place, { recursive: true, verbatimSymlinks: true, filter: isKept });
    if (!existsSync(place)) throw new Error(`Nothing was copied: COPY ${text}`);
  }
}

/** With nothing of this process's environment but where programs are, and npm's own cache. */
async function run(command: string, cwd: string, environment: Record<string, string>): Promise<void> {
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, npm_config_prefer_offline: 'true', ...environment };
  await promisify(execFile)('sh', ['-ec', command], { cwd, env });
}
