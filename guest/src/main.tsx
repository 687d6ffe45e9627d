import '../../console/src/styles/tokens.css';
import './styles/base.css';
import './styles/page.css';
import { render } from 'preact';
import { App } from './app.js';
import { startLanguage } from './language.js';
import { resumePending } from './ordering.js';
import { startFollowing } from './orders.js';
import { startPolling } from './place.js';

startLanguage();
startPolling();
startFollowing();
resumePending();
const root = document.getElementById('app');
if (root !== null) render(<App />, root);
