import { expect, test } from 'vitest';
import { copiesOf } from '#components/generations/picture';
import type { ResultWire } from '#lib/contract/schemas';

const result = (more: Partial<ResultWire>) => ({ url: '/whole.png', width: 1600, height: 2000, ...more }) as ResultWire;

test('smaller forms take the place of the whole file; a clip is no picture', () => {
  const renditions: ResultWire['renditions'] = [
    { url: '/480.webp', content_type: 'image/webp', width: 384, height: 480 },
    { url: '/2000.webp', content_type: 'image/webp', width: 1600, height: 2000 },
    { url: '/clip.mp4', content_type: 'video/mp4', width: 384, height: 480 },
  ];
  expect(copiesOf(result({ renditions })).map(({ url, width }) => [url, width])).toEqual([
    ['/480.webp', 384],
    ['/2000.webp', 1600],
  ]);
});

test('a result from before there were smaller forms has its preview and itself', () => {
  expect(copiesOf(result({ preview_url: '/preview.jpg' }))).toEqual([
    { url: '/preview.jpg', width: 384 },
    { url: '/whole.png', width: 1600 },
  ]);
  expect(copiesOf(result({ width: 300, height: 300, preview_url: '/preview.jpg' }))).toEqual([
    { url: '/whole.png', width: 300 },
  ]);
});
