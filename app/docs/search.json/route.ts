import { byRevision } from '#lib/catalog/by-revision';
import { docsSections } from '#lib/docs/sections';
import { answer } from '#lib/http/answer';
import { answerEtagged, etagged } from '#lib/http/etagged';

const index = byRevision('docs-search', () => etagged(JSON.stringify(docsSections())));
const HEADERS = { 'content-type': 'application/json', 'cache-control': 'public, no-cache' };

/** Index for the search of the documentation. */
export const GET = answer(async request => answerEtagged(request, index(), HEADERS));
