import type { Printer } from '#sdk';
import { t } from '../text/t.js';

/** Why a printer prints nothing. */
export const TROUBLE_WORDS: Readonly<Record<NonNullable<Printer['trouble']>, string>> = {
  offline: t('printer_offline'),
  paper_out: t('printer_paper_out'),
  cover_open: t('printer_cover_open'),
  error: t('printer_error'),
};
