/** What scripts add to a report's page, which is whole without them: see page.css and harness/report. */
import { pageData } from './data';
import { plotsStart } from './plots';
import { tablesStart } from './tables';
import { themeStart } from './theme';
import { viewStart } from './view';

// What is contradicted is read at once where it leaves the leaders in sight.
const contradicted = document.querySelector<HTMLDetailsElement>('details.contradicted');
if (contradicted !== null && matchMedia('(min-width: 68rem)').matches)
    contradicted.open = true;

const data = pageData();
themeStart();
tablesStart();
plotsStart(data?.plots ?? {});
viewStart(data?.scenes ?? []);
document.documentElement.dataset.scripts = 'ready';
