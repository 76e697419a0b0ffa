import { toFormEntry } from '#components/recipes/to-form-entry';
import { compileValidator } from '#components/studio/compile-validator';
import { byRevision } from '#lib/catalog/by-revision';
import { catalogResponse } from '#lib/catalog/catalog-response';
import { recipesResponse } from '#lib/catalog/recipes-response';
import { AppError } from '#lib/errors';
import { answer } from '#lib/http/answer';
import { answerEtagged, etagged, type Etagged } from '#lib/http/etagged';
import { countAnswer } from '#lib/http/limit-pages';
import { methods } from '#lib/http/methods';

const compiled = byRevision('studio-validators', () => new Map<string, Etagged>());

/** Compiled validator of a form, from the current catalog. The revision in the URL makes it cacheable forever. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: answer(async (request, { params }) => {
    await countAnswer(request);
    const { revision, architecture } = (await params) ?? {};
    const { revision: current, body } = catalogResponse();
    const entries = [...body.architectures, ...recipesResponse().recipes.map(toFormEntry)];
    const entry = entries.find(({ id }) => id === architecture);
    if (!entry) throw new AppError('architecture_not_found', 'No architecture and no recipe has this id.');
    const validator = compiled().get(entry.id) ?? etagged(compileValidator(entry));
    compiled().set(entry.id, validator);
    return answerEtagged(request, validator, {
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': revision === current ? 'public, max-age=31536000, immutable' : 'no-store',
    });
  }),
});
