/** Runs the sides in turn, the first one first in even rounds and last in odd ones; a first round is thrown away. */
export async function interleave<Sides extends Record<string, () => Promise<unknown>>>(
  rounds: number,
  sides: Sides,
): Promise<{ [Name in keyof Sides]: Awaited<ReturnType<Sides[Name]>>[] }> {
  const names = Object.keys(sides);
  const samples = Object.fromEntries(names.map((name) => [name, [] as unknown[]]));
  for (let round = -1; round < rounds; round += 1) {
    for (const name of round % 2 === 0 ? names : [...names].reverse()) {
      const sample = await sides[name]?.();
      if (round >= 0) samples[name]?.push(sample);
    }
  }
  return samples as { [Name in keyof Sides]: Awaited<ReturnType<Sides[Name]>>[] };
}
