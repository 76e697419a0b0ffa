import { expect, test } from 'vitest';
import { env } from '#lib/env';
import { requireScraper } from '#lib/http/scrape';

const TOKEN = 'a-token-of-the-scraper';
const HERE = { BASE_URL: 'http://localhost:3000', HOST: '127.0.0.1' };
const PUBLIC = { BASE_URL: 'https://pomona.example', HOST: '0.0.0.0' };

const mayRead = (settings: Partial<ReturnType<typeof env>>, authorization?: string): boolean => {
  Object.assign(env(), { METRICS_TOKEN: undefined, ...settings });
  try {
    requireScraper(new Request('http://x/metrics', authorization ? { headers: { authorization } } : {}));
    return true;
  } catch (error) {
    expect(error).toMatchObject({ code: 'unauthorized' });
    return false;
  }
};

test.each([
  ['for this machine alone', HERE, true],
  ['for everybody', PUBLIC, false],
])('metrics of a deployment %s can only be read with the token, if one is set', (_, at, without) => {
  expect(mayRead(at)).toBe(without);
  const withToken = { ...at, METRICS_TOKEN: TOKEN };
  expect(mayRead(withToken)).toBe(false);
  expect(mayRead(withToken, 'Bearer another-token')).toBe(false);
  expect(mayRead(withToken, `Bearer ${TOKEN}`)).toBe(true);
});
