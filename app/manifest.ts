import type { MetadataRoute } from 'next';

/** Web app manifest, with which browsers install the studio as an app. */
export default function manifest(): MetadataRoute.Manifest {
  return {
    id: '/create',
    name: 'Pomona',
    short_name: 'Pomona',
    description: 'Images, video and audio, grown to order.',
    start_url: '/create',
    scope: '/',
    display: 'standalone',
    background_color: '#f6f0e4',
    theme_color: '#f6f0e4',
    categories: ['photo', 'graphics', 'entertainment'],
    icons: [
      { src: '/icons/icon-192.png', sizes: '192x192', type: 'image/png' },
      { src: '/icons/icon-512.png', sizes: '512x512', type: 'image/png' },
      { src: '/icons/maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    ],
    shortcuts: [
      { name: 'Create', url: '/create' },
      { name: 'History', url: '/history' },
      { name: 'New character', url: '/characters?new' },
    ],
  };
}
