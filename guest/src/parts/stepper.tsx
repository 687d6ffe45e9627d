import { t } from '../language.js';
import { createStepper } from './create-stepper.js';
import { Icon } from './icon.js';

export const Stepper = createStepper({
  Icon,
  buttonClasses: ['round'],
  fewer: (name) => t('fewer', { name }),
  more: (name) => t('more', { name }),
});
