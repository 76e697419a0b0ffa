import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { copiesOf, type MediaFile } from '#components/media/picture';
import { Thumb } from '#components/media/thumb';
import type { ResultWire } from '#lib/contract/schemas';
import type { MediaKind } from '#lib/media-kind';

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

test('where only a preview is known it stands for the file; a file that is known by its address alone stands for itself', () => {
  expect(copiesOf({ url: '/whole.png', preview_url: '/480.webp' })).toEqual([{ url: '/480.webp', width: 480 }]);
  expect(copiesOf({ url: '/whole.png' })).toEqual([{ url: '/whole.png', width: 0 }]);
});

const html = (file: MediaFile, media: MediaKind) =>
  renderToStaticMarkup(createElement(Thumb, { file, media, sizes: '4rem' }));

test('what has no smaller form is shown as it is when it is light, and as its kind when it is heavy, a film or a sound', () => {
  const [light, heavy] = [200_000, 200_001];
  expect(html({ url: '/a.png', bytes: light }, 'image')).toContain('src="/a.png"');
  expect(html({ url: '/a.png', bytes: heavy }, 'image')).not.toContain('/a.png');
  expect(html({ url: '/a.png', bytes: heavy, preview_url: '/480.webp' }, 'image')).toContain('src="/480.webp"');
  expect(html({ url: '/a.mp4', bytes: light }, 'video')).not.toContain('/a.mp4');
  expect(html({ url: '/a.mp4', bytes: heavy, preview_url: '/480.webp' }, 'video')).toContain('src="/480.webp"');
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
