import { expect, test } from 'vitest';
import { droppedMedia } from '#components/carry/drag';

const dropped = (addresses: string) => {
  const getData = (type: string) => (type === 'text/uri-list' ? addresses : '');
  return droppedMedia({ dataTransfer: { getData, files: [] } as unknown as DataTransfer });
};

test.each([
  ['https://example.com/a.png', 'image', 'https://example.com/a.png'],
  [
    '# a comment\r\nfile:///home/ana/a.png\r\nhttp://example.com/a.MP4?x\r\nhttps://example.com/b',
    'video',
    'http://example.com/a.MP4?x',
  ],
  ['ftp://example.com/https:/a.wav\nhttps://example.com/a.wav#t', 'audio', 'https://example.com/a.wav#t'],
])('the first web address is taken from %j', (addresses, media, url) => {
  expect(dropped(addresses)).toEqual([{ media, url, name: url }]);
});

test.each(['', 'file:///home/ana/a.png', 'mailto:ana@example.com\r\njavascript:alert(1)'])(
  'nothing is taken from %j',
  addresses => {
    expect(dropped(addresses)).toEqual([]);
  },
);
