import { NotFoundError, PermissionError, type Client, type TableState } from '#sdk';
import { fine, remark, wrong, type Finding } from './finding.js';

/** Autovacuum begins at a fiftieth of the orders; at a tenth it does not keep up. */
const MOST_DEAD_SHARE = 0.1;
const FEW_ROWS = 10_000;
const LONG_TRANSACTION_SECONDS = 3_600;
/** The server stops taking writes at about twice that, and by default freezes at a fifth of it. */
const OLD_TRANSACTIONS = 1_000_000_000;

/** Whether vacuum keeps up; only an operator key may ask. */
export async function examineDatabase(client: Client): Promise<Finding[]> {
  try {
    const state = await client.describeDatabase();
    const findings = [
      ...state.tables.filter(isBehind).map(tellBehind),
      ...tellTransaction(state.oldest_transaction_seconds),
      ...tellAge(state.transaction_age),
    ];
    return findings.length > 0 ? findings : [fine('Vacuum keeps up with the database')];
  } catch (error) {
    // A merchant's key, or an older service.
    if (error instanceof PermissionError || error instanceof NotFoundError) return [];
    throw error;
  }
}

function isBehind({ live_rows: live, dead_rows: dead }: TableState): boolean {
  return dead > FEW_ROWS && dead > MOST_DEAD_SHARE * (live + dead);
}

function tellBehind({ name, live_rows: live, dead_rows: dead, vacuumed_at: at }: TableState): Finding {
  const share = Math.round((100 * dead) / (live + dead));
  return remark(
    `Vacuum falls behind: ${share} % of the rows of ${name} are dead, and its last vacuum was ${at ?? 'never'}`,
    `Run VACUUM ANALYZE ${name} in the database, and see docs/operating.md on vacuum.`,
  );
}

function tellTransaction(seconds: number): Finding[] {
  if (seconds < LONG_TRANSACTION_SECONDS) return [];
  return [
    remark(
      `A transaction has been open for ${Math.round(seconds / 60)} minutes: what has died since cannot be vacuumed`,
      'Find it in pg_stat_activity, the one with the oldest xact_start, and end it.',
    ),
  ];
}

function tellAge(age: number): Finding[] {
  if (age < OLD_TRANSACTIONS) return [];
  return [
    wrong(
      `The oldest rows are ${Math.round(age / 1_000_000)} million transactions old: the database stops at about 2,000 million`,
      'Run VACUUM FREEZE in the database, and look for what keeps it from it: open or prepared transactions, unused replication slots.',
    ),
  ];
}
