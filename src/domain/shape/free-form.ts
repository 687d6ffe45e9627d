import { reportFault, type Visit } from './report-fault.js';
import { checkText } from './scalars.js';

/** Free-form JSON: any depth the parser let through, every string and key storable. */
export function checkFreeForm(value: unknown, visit: Visit): unknown {
  if (typeof value === 'string') checkText(value, visit);
  else if (Array.isArray(value))
    value.forEach((element, at) => inside(visit, at, () => checkFreeForm(element, visit)));
  else if (typeof value === 'object' && value !== null) {
    for (const [key, member] of Object.entries(value)) {
      inside(visit, key, () => checkText(key, visit) && checkFreeForm(member, visit));
    }
  } else if (typeof value === 'number') {
    checkFaithfulNumber(value, visit);
  }
  return value;
}

function inside(visit: Visit, step: string | number, look: () => unknown): void {
  visit.path.push(step);
  look();
  visit.path.pop();
}

const FIRST_WITH_EXPONENT = 1e21;

/** What comes back must be what was sent: an integer past 2^53 that is written in full would come back as another one. */
function checkFaithfulNumber(value: number, visit: Visit): void {
  if (!Number.isFinite(value)) reportFault(visit, 'finite_number', 'Input should be a finite number', value);
  if (!Number.isInteger(value) || Number.isSafeInteger(value) || Math.abs(value) >= FIRST_WITH_EXPONENT)
    return;
  const [type, words, bound] =
    value > 0
      ? ['less_than_equal', 'less', Number.MAX_SAFE_INTEGER]
      : ['greater_than_equal', 'greater', Number.MIN_SAFE_INTEGER];
  reportFault(visit, type, `Input should be ${words} than or equal to ${bound}`, value, {
    [value > 0 ? 'le' : 'ge']: bound,
  });
}
