import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { folderForTest, preparedFolder, startForTest } from '../harness/process.js';

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: { readonly summary: string };
}
const { groups } = parse(readFileSync('packaging/prometheus-alerts.yml', 'utf8')) as {
  readonly groups: readonly { readonly rules: readonly Rule[] }[];
};
const rules = groups.flatMap((group) => group.rules);

/** Each series that an expression names, with the labels that it must have. */
function seriesOf({ alert, expr }: Rule): { alert: string; name: string; labels: string[] }[] {
  const found = expr.matchAll(/\b([a-z]+_[a-z0-9_]+|up)\b(?:\{([^}]*)\})?/g);
  return [...found].map(([, name = '', labels = '']) => ({
    alert,
    name,
    labels: [...labels.matchAll(/(\w+)=/g)].map(([, label = '']) => label),
  }));
}

it('every alert uses series and labels that the service has', async () => {
  const token = 'metrics-token-for-tests-0123456789';
  const service = await startForTest({
    COMANDA_DATA_DIR: await folderForTest(preparedFolder),
    COMANDA_METRICS_TOKEN: token,
  });
  await service.untilReady();
  // A series of requests exists once there has been one; the lag of webhooks once it has been measured.
  await fetch(`${service.url}/v1/stores/`);
  const headers = { authorization: `Bearer ${token}` };
  const lines = async () => (await (await fetch(`${service.url}/metrics`, { headers })).text()).split('\n');
  const missing = async () => {
    const shown = await lines();
    // Prometheus itself makes `up`, with the job it was told.
    const own = rules.flatMap(seriesOf).filter(({ name }) => name !== 'up');
    expect(own.length).toBeGreaterThanOrEqual(rules.length - 1);
    return own.filter(
      ({ name, labels }) =>
        !shown.some(
          (line) =>
            (line.startsWith(`${name}{`) || line.startsWith(`${name} `)) &&
            labels.every((label) => line.includes(`${label}="`)),
        ),
    );
  };
  await expect.poll(missing).toEqual([]);
});

it('every alert has a name of its own and says what is wrong', () => {
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  expect(rules.filter(({ annotations }) => !annotations.summary.endsWith('.'))).toEqual([]);
});
