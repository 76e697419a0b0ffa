import { preload } from 'react-dom';
import { AudioPlayer } from '#components/generations/audio-player';
import { Video } from '#components/generations/video';
import { worksWith, type Work } from '#components/home/works';
import type { ExampleWire } from '#lib/contract/library-schemas';
import { cn } from '#components/ui/cn';

/** Example results: a video, images and audio, each with its prompt. */
export function Wall({ names, examples }: { names: ReadonlyMap<string, string>; examples: readonly ExampleWire[] }) {
  const works = worksWith(examples);
  const [first] = works;
  // the largest element in the viewport, loaded before the scripts
  preload(stillOf(first!), { as: 'image', fetchPriority: 'high' });
  return (
    <ul aria-label="Made by Pomona" className="grid grid-cols-6 gap-2.5 md:gap-3">
      {works.map(work => (
        <li key={work.name} className={cn('relative overflow-hidden rounded-md bg-sunk', PLACES[work.name])}>
          <figure data-media className="contents">
            <Piece work={work} />
            <figcaption
              className={cn(
                'text-xs',
                work.type === 'audio'
                  ? 'px-4 pb-3 text-soft'
                  : 'on-picture absolute bottom-2 left-2 max-w-[calc(100%-1rem)] rounded-sm px-2 py-1',
              )}
            >
              {work.config.prompt}
              {names.has(work.architecture) && (
                <span className={cn('max-md:sr-only', work.type !== 'audio' && 'opacity-75')}>
                  {' '}
                  ·&nbsp;{names.get(work.architecture)}
                </span>
              )}
            </figcaption>
          </figure>
        </li>
      ))}
    </ul>
  );
}

/** Layout of the works: a video and a tall image at the top, three images, and audio at the bottom. */
const PLACES: Record<string, string> = {
  boat: 'col-span-6 aspect-video sm:col-span-4 sm:aspect-auto',
  lighthouse: 'col-span-3 aspect-4/5 sm:col-span-2',
  oranges: 'col-span-3 aspect-4/5 sm:col-span-2 sm:aspect-square',
  fox: 'col-span-3 aspect-square sm:col-span-2',
  city: 'col-span-3 aspect-square sm:col-span-2',
  rain: 'col-span-6 bg-raised border',
};

const stillOf = ({ name, files }: Work): string => files?.still ?? `/works/${name}.webp`;

function Piece({ work }: { work: Work }) {
  const { name, type, width, height, duration, peaks, config, files } = work;
  const still = stillOf(work);
  if (type === 'audio')
    return (
      <AudioPlayer
        result={{ url: files?.url ?? `/works/${name}.mp3`, ...(duration && { duration }), ...(peaks && { peaks }) }}
      />
    );
  if (type === 'video') {
    const video = { url: files?.url ?? `/works/${name}.mp4`, preview_url: still, ...(duration && { duration }) };
    return <Video result={video} alt={config.prompt} playsSeen isFirst />;
  }
  return (
    // oxlint-disable-next-line nextjs/no-img-element -- the image already has its display size
    <img
      src={still}
      alt={config.prompt}
      loading="lazy"
      width={width}
      height={height}
      className={cn('absolute inset-0 size-full object-cover', !files && 'object-bottom')}
    />
  );
}
