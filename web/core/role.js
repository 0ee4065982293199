// What this browser may do. Controls that it may not use are not shown: `data-needs` names the role that they take, and a rule of
// the style sheet hides them by the role that stands at the top of the page.
import { get, watch } from './store.js';

const ranks = ['anyone', 'listener', 'viewer', 'operator', 'admin'];

/** Whether the service lets this browser do what takes a role. Until it has said, everything is tried. */
export const may = (role) => !role || !get('session') || ranks.indexOf(get('session').role) >= ranks.indexOf(role);

/** A guest hears the stations and sees nothing else: the service answers no question of theirs. */
export const isGuest = () => !may('viewer');

watch('session', (session) => { if (session) document.documentElement.dataset.role = session.role; });
