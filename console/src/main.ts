import { startLanguage } from './text/start-language.js';

// First the language, then everything that speaks.
void startLanguage().then(() => import('./app/start.js'));
