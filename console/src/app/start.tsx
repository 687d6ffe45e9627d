// What holds everywhere comes before what a page says of its own.
import '../styles/tokens.css';
import '../styles/base.css';
import '../ui/ui.css';
import './shell/shell.css';
import { render } from 'preact';
import { App } from './app.js';
import { startClock } from '../ui/now.js';
import { startRouter } from './router.js';

startRouter();
startClock();
const root = document.getElementById('app');
if (root !== null) render(<App />, root);
