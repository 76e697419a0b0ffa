import {
  AVERROR_EAGAIN,
  AVERROR_EOF,
  AVFMT_GLOBALHEADER,
  AVIO_FLAG_WRITE,
  AV_CODEC_FLAG_GLOBAL_HEADER,
  AV_LOG_ERROR,
} from 'node-av/constants';
import { Codec, CodecContext, Dictionary, FFmpegError, FormatContext, IOContext, Log, Packet } from 'node-av/lib';
import type { FFEncoderCodec } from 'node-av/constants';
import type { Frame, Stream } from 'node-av/lib';

/** One encoded track of an output file. */
export interface OutputTrack {
  readonly context: CodecContext;
  /** Encodes a frame; null ends the track. */
  send(frame: Frame | null): void;
}

/**
 * Writes a media file with libavformat and libavcodec. Every call is synchronous, so that a worker thread is never
 * terminated during one. Add all tracks, call `begin`, send frames, call `finish`; always dispose.
 */
export class AvOutput implements Disposable {
  readonly #format = new FormatContext();
  readonly #io = new IOContext();
  readonly #packet = new Packet();
  readonly #contexts: CodecContext[] = [];

  constructor(path: string, format: string, metadata: Record<string, string>) {
    Log.setLevel(AV_LOG_ERROR);
    this.#packet.alloc();
    FFmpegError.throwIfError(this.#format.allocOutputContext2(null, format, path), 'allocOutputContext2');
    FFmpegError.throwIfError(this.#io.open2Sync(path, AVIO_FLAG_WRITE), `open ${path}`);
    this.#format.pb = this.#io;
    this.#format.metadata = Dictionary.fromObject(metadata);
  }

  /**
   * Adds a track. `configure` sets size, rate and format; `options` are those of the encoder. They are set on the
   * context, because node-av frees a Dictionary passed to `open2` twice, which crashes at the next garbage collection.
   */
  addTrack(
    encoder: FFEncoderCodec,
    configure: (context: CodecContext) => void,
    options: Record<string, string | number> = {},
  ): OutputTrack {
    const codec = Codec.findEncoderByName(encoder);
    if (!codec) throw new Error(`This build of node-av has no encoder ${encoder}`);
    const context = new CodecContext();
    context.allocContext3(codec);
    this.#contexts.push(context);
    configure(context);
    for (const [name, value] of Object.entries(options)) {
      FFmpegError.throwIfError(context.setOption(name, value), `${encoder} ${name}`);
    }
    if (this.#format.oformat?.hasFlags(AVFMT_GLOBALHEADER)) context.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER);
    FFmpegError.throwIfError(context.open2Sync(codec), `open ${encoder}`);
    const stream = this.#format.newStream();
    stream.timeBase = context.timeBase;
    stream.avgFrameRate = context.framerate;
    FFmpegError.throwIfError(stream.codecpar.fromContext(context), 'codec parameters');
    return { context, send: frame => this.#send(context, stream, frame) };
  }

  begin(options: Record<string, string | number> = {}): void {
    for (const [name, value] of Object.entries(options)) {
      FFmpegError.throwIfError(this.#format.setOption(name, value), `option ${name}`);
    }
    FFmpegError.throwIfError(this.#format.writeHeaderSync(), 'write header');
  }

  finish(): void {
    FFmpegError.throwIfError(this.#format.writeTrailerSync(), 'write trailer');
  }

  #send(context: CodecContext, stream: Stream, frame: Frame | null): void {
    FFmpegError.throwIfError(context.sendFrameSync(frame), 'send frame');
    for (;;) {
      const code = context.receivePacketSync(this.#packet);
      if (code === AVERROR_EAGAIN || code === AVERROR_EOF) return;
      FFmpegError.throwIfError(code, 'receive packet');
      this.#packet.streamIndex = stream.index;
      this.#packet.rescaleTs(context.timeBase, stream.timeBase);
      FFmpegError.throwIfError(this.#format.interleavedWriteFrameSync(this.#packet), 'write packet');
    }
  }

  [Symbol.dispose](): void {
    this.#packet.free();
    for (const context of this.#contexts) context.freeContext();
    this.#format.pb = null;
    this.#io.closepSync();
    this.#format.freeContext();
  }
}
