import type { ClipFacts } from '#lib/media/normalize-clip';
import type { Renditions } from '#lib/media/make-renditions';
import type { MediaFacts } from '#lib/media/media-facts';
import type { MediaTags } from '#lib/media/media-tags';
import type { VideoWish } from '#lib/media/remake-video';
import type { NsfwScores, NsfwTask } from '#lib/media/score-nsfw';
import type { MediaKind } from '#lib/media-kind';
import type { MediaType } from '#lib/storage/media-types';

/** The requested duration of audio in seconds, 0 when none was requested, and its sample rate in hertz. */
export interface AskedSound {
  seconds: number;
  sampleRate: number;
}

/** The tasks of a decoder process. */
export type MediaTask =
  | { do: 'probe'; path: string; type: MediaType }
  | { do: 'measure'; bytes: number; type: MediaType }
  | { do: 'image'; path: string; to: string; maxSide?: number }
  | ({ do: 'video'; path: string; to: string } & VideoWish)
  | { do: 'clip'; path: string; to: string; maxSeconds: number }
  | { do: 'finish'; path: string; to: string; kind: MediaKind; tags: MediaTags; sound: AskedSound }
  | { do: 'renditions'; path: string; kind: MediaKind; folder: string }
  | ({ do: 'classify' } & NsfwTask)
  | { do: 'prepare'; next: 'finish' | 'renditions' | 'classify' };

export type MediaTaskResult<T extends MediaTask> = T extends { do: 'clip' }
  ? ClipFacts
  : T extends { do: 'renditions' }
    ? Renditions
    : T extends { do: 'classify' }
      ? NsfwScores[]
      : T extends { do: 'video' | 'prepare' }
        ? undefined
        : MediaFacts;

/** The answer of the process to a task. `memory` is what it holds afterwards, in bytes. */
export type MediaAnswer = { memory: number } & (
  { value: unknown } | { refusal: string } | { fault: string; isSpent: boolean; hasNoRoom: boolean }
);

/** A request of the process for a range of a file that it cannot read itself. `piece` is the id of the request. */
export interface PieceWanted {
  piece: number;
  start: number;
  end: number;
}
