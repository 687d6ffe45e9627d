import { render } from 'preact';
import { App } from './app.js';
import { startClock } from './parts/now.js';
import { startRouter } from './router.js';
import './styles/tokens.css';
import './styles/base.css';
import './parts/parts.css';
import './shell/shell.css';

startRouter();
startClock();
const root = document.getElementById('app');
if (root !== null) render(<App />, root);
