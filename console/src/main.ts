import { startLanguage } from './language/start-language.js';

// First the language, then everything that speaks.
void startLanguage().then(() => import('./start.js'));
