/** What scripts add to a report's page, which is whole without them: see page.css and harness/report. */
import { cardsStart } from './cards';
import { contentsStart } from './contents';
import { pageData } from './data';
import { plotsStart } from './plots';
import { tablesStart } from './tables';
import { termsStart } from './terms';
import { themeStart } from './theme';
import { viewStart } from './view';

const data = pageData();
themeStart();
const partStart = (within: ParentNode): void => {
    tablesStart(within);
    termsStart(within);
    plotsStart(data?.plots ?? {}, within);
};
partStart(document);
// Folded parts are created when they are opened (folds.js).
document.addEventListener('unfold', event => {
    partStart(event.target as HTMLElement);
});
viewStart(data?.scenes ?? []);
contentsStart();
cardsStart();
document.documentElement.dataset.scripts = 'ready';
