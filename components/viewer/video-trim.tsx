'use client';

import { useMutation } from '@tanstack/react-query';
import { offerCarried } from '#components/carry/carried';
import { fetchMedia } from '#components/media/fetch-media';
import { saveBlob } from '#components/media/save-blob';
import { sendOn } from '#components/media/send-on';
import { TrimRange, type Part } from '#components/media/trim-range';
import { Button } from '#components/ui/button';
import { withReason } from '#components/ui/on-demand';
import { toast } from '#components/ui/toast';

/** Selects a part of a video, to be saved or used elsewhere. The part is cut in the browser. */
export function VideoTrim({
  onShow,
  url,
  name,
  seconds,
  part,
  onChange,
  onClose,
}: {
  /** Seeks to a moment of the video. */
  onShow: (seconds: number) => void;
  url: string;
  name: string;
  seconds: number;
  part: Part;
  onChange: (part: Part) => void;
  onClose: () => void;
}) {
  const change = (next: Part) => {
    // shows the frame at the end that moved
    onShow(next[0] === part[0] ? next[1] : next[0]);
    onChange(next);
  };
  const cut = useMutation({
    mutationFn: async (then: 'save' | 'use') => {
      const [{ cutVideo }, whole] = await Promise.all([
        import('#components/media/cut-video').catch(withReason),
        fetchMedia(url),
      ]);
      const clip = await cutVideo(whole, ...part);
      if (then === 'use') return sendOn('video', clip, `${name}-part.mp4`);
      saveBlob(clip, `${name}-part.mp4`);
      return null;
    },
    onError: error => toast({ title: 'The part was not saved.', description: error.message, tone: 'bad' }),
  });
  // this `onSuccess` runs only while the component is mounted, as for a frame in `VideoPlayer`
  const use = () =>
    cut.mutate('use', {
      onSuccess: carried =>
        carried && offerCarried({ carried: { ...carried, duration: part[1] - part[0] }, intent: 'use' }),
    });
  const busy = cut.isPending && cut.variables;
  return (
    <div className="grid gap-2">
      <div className="relative h-12 rounded-sm bg-ink/12">
        <TrimRange seconds={seconds} part={part} onChange={change} />
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <output className="figures grow text-sm text-soft">{(part[1] - part[0]).toFixed(1)} s are kept</output>
        <Button size="sm" busy={busy === 'save'} onClick={() => cut.mutate('save')}>
          Download the part
        </Button>
        <Button size="sm" busy={busy === 'use'} onClick={use}>
          Use the part in…
        </Button>
        <Button size="sm" tone="ghost" onClick={onClose}>
          Done
        </Button>
      </div>
    </div>
  );
}
