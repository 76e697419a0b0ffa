import { AVERROR_EAGAIN, AVERROR_EOF, AVMEDIA_TYPE_VIDEO, AV_LOG_FATAL } from 'node-av/constants';
import { Codec, CodecContext, FFmpegError, FormatContext, Frame, Log, Packet } from 'node-av/lib';
import type { AVMediaType } from 'node-av/constants';
import type { Stream } from 'node-av/lib';

/**
 * The best video or audio track of a file, decoded in order. Every call is synchronous: a worker thread that is terminated
 * during an asynchronous call of node-av takes the whole process with it.
 */
export class AvInput implements Disposable {
  readonly stream: Stream;
  readonly #format = new FormatContext();
  readonly #context = new CodecContext();
  readonly #packet = new Packet();

  /** Throws when the file has no such track, or none that can be decoded. */
  constructor(path: string, type: AVMediaType) {
    Log.setLevel(AV_LOG_FATAL);
    this.#packet.alloc();
    try {
      this.#format.allocContext();
      // a playlist must not make the server read anything but this file
      FFmpegError.throwIfError(this.#format.setOption('protocol_whitelist', 'file'), 'protocol_whitelist');
      FFmpegError.throwIfError(this.#format.setOption('format_whitelist', 'mov,matroska,mp3,wav'), 'format_whitelist');
      FFmpegError.throwIfError(this.#format.openInputSync(path), 'open');
      FFmpegError.throwIfError(this.#format.findStreamInfoSync(), 'read');
      const index = this.#format.findBestStream(type);
      const stream = this.#format.streams[index];
      const codec = stream && Codec.findDecoder(stream.codecpar.codecId);
      if (!stream || !codec)
        throw new Error(`no ${type === AVMEDIA_TYPE_VIDEO ? 'picture' : 'sound'} that can be decoded`);
      this.stream = stream;
      this.#context.allocContext3(codec);
      FFmpegError.throwIfError(this.#context.parametersToContext(stream.codecpar), 'parameters');
      FFmpegError.throwIfError(this.#context.open2Sync(codec), 'decoder');
    } catch (error) {
      this[Symbol.dispose]();
      throw new Error(`The media file cannot be read: ${error instanceof Error ? error.message : String(error)}`, {
        cause: error,
      });
    }
  }

  /** Seconds since the track's first picture or sample. */
  timeOf(frame: Frame): number {
    const { num, den } = this.stream.timeBase;
    const start = this.stream.startTime;
    const began = start < -(2n ** 62n) ? 0n : start;
    return (Number(frame.bestEffortTimestamp - began) * num) / den;
  }

  /** Every frame, in order of showing. The caller disposes each. Damaged packets are passed over. */
  *frames(): Generator<Frame, undefined> {
    for (let ended = false; !ended;) {
      const read = this.#format.readFrameSync(this.#packet);
      ended = read < 0;
      if (!ended && this.#packet.streamIndex !== this.stream.index) {
        this.#packet.unref();
        continue;
      }
      this.#context.sendPacketSync(ended ? null : this.#packet);
      this.#packet.unref();
      for (;;) {
        const frame = new Frame();
        frame.alloc();
        const code = this.#context.receiveFrameSync(frame);
        if (code < 0) {
          frame.free();
          if (code === AVERROR_EAGAIN || code === AVERROR_EOF) break;
          FFmpegError.throwIfError(code, 'decode');
        }
        yield frame;
      }
    }
  }

  [Symbol.dispose](): void {
    this.#packet.free();
    this.#context.freeContext();
    this.#format.closeInputSync();
  }
}
