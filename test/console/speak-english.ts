import english from '../../console/src/text/phrases/en.json' with { type: 'json' };
import { setLanguage } from '../../console/src/text/t.js';

// Import it before what speaks: modules of the console look phrases up when they load.
setLanguage('en', english, 'en-GB');
