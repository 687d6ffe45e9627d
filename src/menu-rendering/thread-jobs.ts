import { parentPort, workerData } from 'node:worker_threads';
import { gunzipSync } from 'node:zlib';
import { ValidationFailed } from '../domain/faults.js';
import { diffConfigurations, EMPTY_CONFIGURATION } from '../domain/menu/diff.js';
import { parseNumbers } from '../domain/menu/kinds.js';
import type { Mark } from '../domain/menu/marks.js';
import type { MenuSource } from '../domain/menu/publication.js';
import type { MenuConfiguration } from '../domain/menu/shapes.js';
import { availableFragments } from './available.js';
import { flatText } from './flat.js';
import { measure, rootOf, valueAt, type Fragments, assemble } from './fragments.js';
import {
  ownedBuffers,
  type JobName,
  type Jobs,
  type Rendered,
  type ThreadSettings,
  type ThreadAnswer,
} from './thread-pool.js';
import { compilePrepare } from './prepare-publication.js';
import { buildPriceIndex } from './prices/price-index.js';
import { treeFragments, type ParsedMenu } from './tree.js';

const run = compileJobs(workerData as ThreadSettings);

parentPort?.on('message', ({ name, input }: { name: JobName; input: Jobs[JobName]['input'] }) => {
  const answer = attempt(name, input);
  parentPort?.postMessage(answer, 'output' in answer ? ownedBuffers(answer.output) : []);
});

function attempt(name: JobName, input: Jobs[JobName]['input']): ThreadAnswer {
  try {
    return { output: run(name, input) };
  } catch (error) {
    if (error instanceof ValidationFailed) return { faults: error.faults };
    return { failure: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

type JobRunner = <N extends JobName>(name: N, input: Jobs[N]['input']) => Jobs[N]['output'];

/** Everything that takes time with the size of a menu, for a thread that serves no requests. */
function compileJobs(settings: ThreadSettings): JobRunner {
  const prepare = compilePrepare(settings.limits);
  const finish = (fragments: Fragments): Rendered => {
    const length = valueAt(measure(fragments).bytes, rootOf(fragments));
    return length <= settings.wholeBytes ? { bytes: assemble(fragments) } : { fragments, length };
  };
  const jobs: { [N in JobName]: (input: Jobs[N]['input']) => Jobs[N]['output'] } = {
    prepare: ({ body, soldOut }) => prepare(body, soldOut),
    tree: (source) => finish(treeFragments(parseSource(source))),
    flat: (source) => ({ bytes: Buffer.from(flatText(parseSource(source))) }),
    diff: ({ before, after }) =>
      Buffer.from(JSON.stringify(diffConfigurations(unpackContent(before), unpackContent(after)))),
    prices: ({ content, idsText }) => buildPriceIndex(unpackContent(content), parseNumbers(idsText)),
    available: (input) => finish(availableFragments(parseSource(input), input)),
  };
  return (name, input) => jobs[name](input);
}

function parseSource({ content, idsText, marksText }: MenuSource): ParsedMenu {
  const rows = JSON.parse(marksText) as readonly [
    id: number,
    inStock: boolean | null,
    prepType: string | null,
  ][];
  return {
    configuration: unpackContent(content),
    ids: parseNumbers(idsText),
    marks: new Map(rows.map(([id, inStock, prepType]) => [id, markFrom(inStock, prepType)])),
  };
}

function markFrom(inStock: boolean | null, prepType: string | null): Mark {
  return { ...(inStock === null ? {} : { inStock }), ...(prepType === null ? {} : { prepType }) };
}

function unpackContent(content: Uint8Array | undefined): MenuConfiguration {
  if (content === undefined || content.length === 0) return EMPTY_CONFIGURATION;
  return JSON.parse(gunzipSync(content).toString()) as MenuConfiguration;
}
