import { closeSync, openSync, readSync } from 'node:fs';
import { AVERROR_EAGAIN, AVERROR_EOF, AVMEDIA_TYPE_VIDEO, AV_LOG_FATAL } from 'node-av/constants';
import { Codec, CodecContext, FFmpegError, FormatContext, Frame, InputFormat, Log, Packet } from 'node-av/lib';
import { SNIFF_BYTES, typeBySignature } from '#lib/media/sniff';
import type { AVMediaType } from 'node-av/constants';
import type { Stream } from 'node-av/lib';
import type { MediaType } from '#lib/storage/media-types';

/** Maximum number of pixels decoded per file. 60 s of 4K video at 60 frames per second are 30 billion. */
export const MAX_VIDEO_PIXELS = 40_000_000_000;

/** Frame size, in pixels, that is always allowed: recordings of calls may grow beyond the size in their header. */
const GROWN_PIXELS = 4_000_000;

/** Allowance per side, in pixels: codecs round sides up to their block size. */
const BLOCK = 128;

/** FFmpeg's names for the formats of the supported types. */
const FORMATS: Partial<Record<MediaType, string>> = {
  'video/mp4': 'mov',
  'video/quicktime': 'mov',
  'video/webm': 'matroska',
  'audio/mpeg': 'mp3',
  'audio/wav': 'wav',
};

/** Returns the format by the file's signature; null leaves it to FFmpeg, which trusts a file name extension first. */
function formatOf(path: string): InputFormat | null {
  const head = Buffer.alloc(SNIFF_BYTES);
  const file = openSync(path, 'r');
  let length: number;
  try {
    length = readSync(file, head);
  } finally {
    closeSync(file);
  }
  const type = typeBySignature(head.subarray(0, length));
  const name = type && FORMATS[type];
  return name ? InputFormat.findInputFormat(name) : null;
}

/**
 * The best video or audio track of a file, decoded in order. Every call is synchronous: terminating a worker thread
 * during an asynchronous call of node-av crashes the whole process.
 */
export class AvInput implements Disposable {
  readonly stream: Stream;
  /** Duration in seconds; 0 when the file does not state it. */
  readonly duration: number;
  readonly #format = new FormatContext();
  readonly #context = new CodecContext();
  readonly #packet = new Packet();

  /** Opens the best track of this type. Throws when the file has none that can be decoded. */
  constructor(path: string, type: AVMediaType) {
    Log.setLevel(AV_LOG_FATAL);
    this.#packet.alloc();
    try {
      this.#format.allocContext();
      // a playlist must not make the process read any other file
      FFmpegError.throwIfError(this.#format.setOption('protocol_whitelist', 'file'), 'protocol_whitelist');
      FFmpegError.throwIfError(this.#format.setOption('format_whitelist', 'mov,matroska,mp3,wav'), 'format_whitelist');
      FFmpegError.throwIfError(this.#format.openInputSync(path, formatOf(path)), 'open');
      FFmpegError.throwIfError(this.#format.findStreamInfoSync(), 'read');
      const index = this.#format.findBestStream(type);
      const stream = this.#format.streams[index];
      const codec = stream && Codec.findDecoder(stream.codecpar.codecId);
      if (!stream || !codec)
        throw new Error(`no ${type === AVMEDIA_TYPE_VIDEO ? 'video' : 'audio'} that can be decoded`);
      this.stream = stream;
      const seconds = (Number(stream.duration) * stream.timeBase.num) / stream.timeBase.den;
      this.duration = Math.max(0, seconds > 0 ? seconds : Number(this.#format.duration) / 1e6);
      this.#context.allocContext3(codec);
      FFmpegError.throwIfError(this.#context.parametersToContext(stream.codecpar), 'parameters');
      this.#limit(stream);
      FFmpegError.throwIfError(this.#context.open2Sync(codec), 'decoder');
    } catch (error) {
      this[Symbol.dispose]();
      throw new Error(`The media file cannot be read: ${error instanceof Error ? error.message : String(error)}`, {
        cause: error,
      });
    }
  }

  /** Limits memory: frames may not be much larger than the header says, and a single thread holds fewer of them. */
  #limit({ codecpar: { width, height } }: Stream): void {
    this.#context.threadCount = 1;
    const most = Math.max((width + BLOCK) * (height + BLOCK), GROWN_PIXELS);
    FFmpegError.throwIfError(this.#context.setOption('max_pixels', most), 'max_pixels');
  }

  /** Skips frames that no other frame refers to, where the codec can tell. */
  skipUnreferenced(): void {
    FFmpegError.throwIfError(this.#context.setOption('skip_frame', 'noref'), 'skip_frame');
  }

  /** Returns the time of a frame in seconds from the start of the track. */
  timeOf({ bestEffortTimestamp }: Pick<Frame, 'bestEffortTimestamp'>): number {
    const { num, den } = this.stream.timeBase;
    const start = this.stream.startTime;
    const began = start < -(2n ** 62n) ? 0n : start;
    return (Number(bestEffortTimestamp - began) * num) / den;
  }

  /**
   * Yields frames in display order; the caller disposes each. Skips damaged packets, and packets before the last
   * keyframe that is not later than `wanted()` seconds.
   */
  *frames(wanted: () => number = () => -Infinity): Generator<Frame, undefined> {
    let pixels = 0;
    for (const packet of this.#packets(wanted)) {
      this.#context.sendPacketSync(packet);
      packet?.free();
      for (;;) {
        const frame = new Frame();
        frame.alloc();
        const code = this.#context.receiveFrameSync(frame);
        if (code < 0) {
          frame.free();
          if (code === AVERROR_EAGAIN || code === AVERROR_EOF) break;
          FFmpegError.throwIfError(code, 'decode');
        }
        pixels += frame.width * frame.height;
        if (pixels > MAX_VIDEO_PIXELS) throw new Error('The media file cannot be read: it has too many frames');
        yield frame;
      }
    }
  }

  /** Yields the packets to decode, which the caller frees, and null at the end. */
  *#packets(wanted: () => number): Generator<Packet | null> {
    // reads ahead up to the wanted time: a keyframe on the way makes all packets before it unnecessary
    let ahead: Packet[] = [];
    while (this.#format.readFrameSync(this.#packet) >= 0) {
      const packet = this.#packet.streamIndex === this.stream.index ? this.#packet.clone() : null;
      this.#packet.unref();
      if (!packet) continue;
      const time = this.timeOf({ bestEffortTimestamp: packet.pts });
      if (packet.isKeyframe && time <= wanted() && ahead.length) {
        for (const passed of ahead) passed.free();
        ahead = [];
      }
      ahead.push(packet);
      if (time <= wanted()) continue;
      yield* ahead;
      ahead = [];
    }
    yield* ahead;
    yield null;
  }

  [Symbol.dispose](): void {
    this.#packet.free();
    this.#context.freeContext();
    this.#format.closeInputSync();
  }
}
