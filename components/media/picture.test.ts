import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { copiesOf, type MediaFile } from '#components/media/picture';
import { Thumb } from '#components/media/thumb';
import type { ResultWire } from '#lib/contract/schemas';
import type { MediaKind } from '#lib/media-kind';

const result = (more: Partial<ResultWire>) => ({ url: '/whole.png', width: 1600, height: 2000, ...more }) as ResultWire;

test('image renditions replace the original file, and video renditions are left out', () => {
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

test('a preview replaces a file of unknown size, and a file with nothing but a URL is used itself', () => {
  expect(copiesOf({ url: '/whole.png', preview_url: '/480.webp' })).toEqual([{ url: '/480.webp', width: 480 }]);
  expect(copiesOf({ url: '/whole.png' })).toEqual([{ url: '/whole.png', width: 0 }]);
});

const html = (file: MediaFile, media: MediaKind) =>
  renderToStaticMarkup(createElement(Thumb, { file, media, sizes: '4rem' }));

test('without a smaller copy, a thumbnail shows the file only if it is an image of at most 200,000 bytes', () => {
  const [light, heavy] = [200_000, 200_001];
  expect(html({ url: '/a.png', bytes: light }, 'image')).toContain('src="/a.png"');
  expect(html({ url: '/a.png', bytes: heavy }, 'image')).not.toContain('/a.png');
  expect(html({ url: '/a.png', bytes: heavy, preview_url: '/480.webp' }, 'image')).toContain('src="/480.webp"');
  expect(html({ url: '/a.mp4', bytes: light }, 'video')).not.toContain('/a.mp4');
  expect(html({ url: '/a.mp4', bytes: heavy, preview_url: '/480.webp' }, 'video')).toContain('src="/480.webp"');
});

test('a result without renditions has its original, and its preview if that is smaller', () => {
  expect(copiesOf(result({ preview_url: '/preview.jpg' }))).toEqual([
    { url: '/preview.jpg', width: 384 },
    { url: '/whole.png', width: 1600 },
  ]);
  expect(copiesOf(result({ width: 300, height: 300, preview_url: '/preview.jpg' }))).toEqual([
    { url: '/whole.png', width: 300 },
  ]);
});
