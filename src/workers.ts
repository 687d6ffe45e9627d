import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { PoolConfig } from 'pg';
import type { Logger } from 'pino';
import { AggregatorRegistry, type RegistryContentType } from 'prom-client';
import type { Config } from './config.js';
import { Overloaded, StartupError } from './support/errors.js';
import { serve, type Serving } from './serve.js';
import { onStopSignal } from './start/stop-signals.js';

/** Messages between the primary process and its workers. */
type ToWorker =
  | { readonly kind: 'serve'; readonly connection: PoolConfig }
  | { readonly kind: 'ready' }
  | { readonly kind: 'drain' }
  | { readonly kind: 'metrics'; readonly question: number; readonly text: string | undefined };
type ToPrimary =
  | { readonly kind: 'awake' }
  | { readonly kind: 'listening'; readonly url: string }
  | { readonly kind: 'refused'; readonly reason: string; readonly isForOperator: boolean }
  | { readonly kind: 'metrics'; readonly question: number };

export interface Workers {
  readonly url: string;
  /** The metrics of all workers, added up. */
  readMetrics(): Promise<string>;
  markReady(): void;
  drain(): Promise<void>;
}

const FORK_AGAIN_MS = 1_000;
/** Longer than a worker needs for its last responses and webhooks. */
const LONGEST_END_MS = 60_000;

/** Runs several processes on one port, and replaces any that dies. */
export async function startWorkers(
  config: Config,
  connection: PoolConfig,
  log: Logger,
  signal: AbortSignal,
): Promise<Workers> {
  const aggregator = new AggregatorRegistry();
  const state = { isReady: false, isDraining: false };

  const fork = (): Worker => {
    const worker = cluster.fork();
    worker.on('message', (message: ToPrimary) => {
      // A message sent before the worker listens for one would be lost, so the worker speaks first.
      if (message.kind === 'awake')
        tell(worker, state.isDraining ? { kind: 'drain' } : { kind: 'serve', connection });
      if (message.kind === 'listening' && state.isReady) tell(worker, { kind: 'ready' });
      if (message.kind === 'refused' && state.isReady) log.error(message.reason);
      if (message.kind === 'metrics') void answerMetrics(worker, aggregator, message.question);
    });
    worker.on('exit', (code, signal) => {
      if (state.isDraining) return;
      log.error(`Worker ${worker.process.pid ?? ''} ended (${signal || code}); starting another`);
      void delay(FORK_AGAIN_MS).then(() => state.isDraining || fork());
    });
    return worker;
  };

  const drain = async () => {
    state.isDraining = true;
    await Promise.all(
      liveWorkers().map(async (worker) => {
        tell(worker, { kind: 'drain' });
        const late = setTimeout(
          () => {
            log.error(`Worker ${worker.process.pid ?? ''} did not stop in time and is killed`);
            worker.process.kill('SIGKILL');
          },
          config.drainSeconds * 1000 + LONGEST_END_MS,
        );
        await once(worker, 'exit');
        clearTimeout(late);
      }),
    );
  };

  const workers = Array.from({ length: config.workers }, () => untilListening(fork()));
  const [url = ''] = await Promise.race([Promise.all(workers), rejectOnAbort(signal)]).catch(
    async (error: unknown) => {
      await drain();
      throw error;
    },
  );
  return {
    url,
    readMetrics: () => aggregator.clusterMetrics(),
    markReady: () => {
      state.isReady = true;
      for (const worker of liveWorkers()) tell(worker, { kind: 'ready' });
    },
    drain,
  };
}

/** Runs a worker: it serves on command, and ends on command or when the primary process is gone. */
export function runWorker(config: Config, log: Logger): void {
  const questions = new Map<number, (text: string | undefined) => void>();
  const readMetrics = async () => {
    const text = await new Promise<string | undefined>((resolve) => {
      const question = questions.size === 0 ? 1 : Math.max(...questions.keys()) + 1;
      questions.set(question, resolve);
      ask({ kind: 'metrics', question });
    });
    if (text === undefined) throw new Overloaded('Not every worker has reported its metrics. Try again.');
    return text;
  };
  let serving: Promise<Serving> | undefined;
  const drain = () => {
    void (serving ?? Promise.resolve(undefined))
      .then((running) => running?.drain())
      .finally(() => process.exit(0));
  };

  // Terminals and systemd signal every process; workers ignore it, because the primary process tells them when to stop.
  onStopSignal(() => undefined);
  process.on('disconnect', drain);
  process.on('message', (message: ToWorker) => {
    switch (message.kind) {
      case 'serve':
        serving = serve(config, message.connection, log, readMetrics);
        serving.then(shareMetricsAndReport, refuse);
        break;
      case 'ready':
        void serving?.then((running) => running.markReady());
        break;
      case 'metrics':
        questions.get(message.question)?.(message.text);
        questions.delete(message.question);
        break;
      case 'drain':
        drain();
        break;
      default:
        break;
    }
  });
  ask({ kind: 'awake' });
}

function shareMetricsAndReport({ metrics, url }: Serving): void {
  new AggregatorRegistry();
  AggregatorRegistry.setRegistries(metrics);
  ask({ kind: 'listening', url });
}

function refuse(error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error);
  ask({ kind: 'refused', reason, isForOperator: error instanceof StartupError }, () => process.exit(1));
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const fail = () => reject(signal.reason as Error);
    if (signal.aborted) fail();
    else signal.addEventListener('abort', fail, { once: true });
  });
}

function untilListening(worker: Worker): Promise<string> {
  return new Promise((resolve, reject) => {
    worker.on('message', (message: ToPrimary) => {
      if (message.kind === 'listening') resolve(message.url);
      if (message.kind === 'refused')
        reject(message.isForOperator ? new StartupError(message.reason) : new Error(message.reason));
    });
    worker.once('exit', () => reject(new Error('A worker ended before it could listen')));
  });
}

async function answerMetrics(
  worker: Worker,
  aggregator: AggregatorRegistry<RegistryContentType>,
  question: number,
) {
  const text = await aggregator.clusterMetrics().catch(() => undefined);
  tell(worker, { kind: 'metrics', question, text });
}

function liveWorkers(): Worker[] {
  return Object.values(cluster.workers ?? {}).filter(
    (worker) => worker !== undefined && !worker.isDead(),
  ) as Worker[];
}

function tell(worker: Worker, message: ToWorker): void {
  worker.send(message, () => undefined);
}

function ask(message: ToPrimary, onSent: () => void = () => undefined): void {
  process.send?.(message, undefined, undefined, onSent);
}
