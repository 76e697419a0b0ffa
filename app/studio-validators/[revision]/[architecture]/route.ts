import { compileValidator } from '#components/studio/compile-validator';
import { catalogResponse } from '#lib/catalog/catalog-response';

type Params = Promise<{ revision: string; architecture: string }>;

/** A form's validator, compiled from the catalog that is loaded now; the revision in the address makes it last for ever. */
export async function GET(_request: Request, { params }: { params: Params }) {
  const { revision, architecture } = await params;
  const { revision: current, body } = catalogResponse();
  const entry = body.architectures.find(({ id }) => id === architecture);
  if (!entry) return new Response('No such architecture.', { status: 404 });
  const lasting = revision === current ? 'public, max-age=31536000, immutable' : 'no-store';
  return new Response(compileValidator(entry), {
    headers: { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': lasting },
  });
}
