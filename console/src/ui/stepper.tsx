import { createStepper } from '../../../guest/src/parts/create-stepper.js';
import { t } from '../text/t.js';
import { Icon } from './icon.js';

export const Stepper = createStepper({
  Icon,
  buttonClasses: ['button', 'square'],
  fewer: (name) => t('fewer_name', { name }),
  more: (name) => t('more_name', { name }),
});
