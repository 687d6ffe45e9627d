import { warnOfGroups } from './groups.js';
import { warnOfHours } from './hours.js';
import { warnOfDuplicateNames, warnOfMissingLanguages } from './names.js';
import { warnOfPlacement } from './placement.js';
import { warnOfPrices } from './prices.js';
import { warnOfUnknownKeys } from './unknown-keys.js';
import { WarningList, type Suspect, type Warnings } from './warning-list.js';

export function findWarnings(suspect: Suspect): Warnings {
  const warnings = new WarningList();
  const { configuration } = suspect;
  warnOfUnknownKeys(suspect.body, warnings);
  warnOfPlacement(configuration, warnings);
  warnOfHours(configuration, warnings);
  warnOfGroups(suspect, warnings);
  warnOfPrices(configuration, warnings);
  warnOfMissingLanguages(configuration, warnings);
  warnOfDuplicateNames(configuration, warnings);
  return warnings.toWarnings();
}
