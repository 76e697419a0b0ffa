import { answer } from '#lib/http/answer';
import { methods } from '#lib/http/methods';
import { renderMetrics, requireScraper } from '#lib/http/scrape';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: answer(async request => {
    requireScraper(request);
    const { text, contentType } = await renderMetrics();
    return new Response(text, { headers: { 'content-type': contentType } });
  }),
});
