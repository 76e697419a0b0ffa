import { AVMEDIA_TYPE_VIDEO, AV_PIX_FMT_RGBA, AV_PKT_DATA_DISPLAYMATRIX, SWS_BILINEAR } from 'node-av/constants';
import { FFmpegError, Frame, SoftwareScaleContext } from 'node-av/lib';
import { AvInput } from '#lib/media/av-input';

interface SourceFrame {
  width: number;
  height: number;
  /** RGBA pixels; the buffer is not reused. */
  data: Uint8Array;
}

interface SourceVideo extends Disposable {
  /** Duration in seconds; 0 when the file does not state it. */
  readonly duration: number;
  /** Returns the frame shown at `seconds`, upright, or the last one after the end. `seconds` must not decrease. */
  frameAt(seconds: number): SourceFrame;
}

/**
 * Opens a video for reading in order, on the calling thread. All frames are returned in one size, with even sides no
 * longer than `maxSide`. At twice `fps` or more, frames that no other frame refers to are skipped.
 */
export function openSourceVideo(path: string, maxSide = 1920, fps = Infinity): SourceVideo {
  const input = new AvInput(path, AVMEDIA_TYPE_VIDEO);
  const { stream } = input;
  const { num, den } = stream.avgFrameRate;
  if (den > 0 && num / den >= 2 * fps) input.skipUnreferenced();
  let wanted = -Infinity;
  const frames = input.frames(() => wanted);
  const turns = quarterTurns(stream.codecpar.getCodedSideData(AV_PKT_DATA_DISPLAYMATRIX));
  const toRgba = createConverter(maxSide);
  let next: Frame | undefined = frames.next().value;
  let shown: Frame | undefined;
  let picture: SourceFrame | undefined;

  return {
    duration: input.duration,
    frameAt(seconds) {
      wanted = seconds + 1e-6;
      while (next && (!shown || input.timeOf(next) <= wanted)) {
        shown?.free();
        shown = next;
        picture = undefined;
        next = frames.next().value;
      }
      if (!shown) throw new Error('The media file cannot be read: no frame in it');
      return (picture ??= turn(toRgba(shown), turns));
    },
    [Symbol.dispose]() {
      shown?.free();
      next?.free();
      input[Symbol.dispose]();
    },
  };
}

/** Returns a function that converts frames to RGBA at the size of the first one: frames of one file may change size. */
function createConverter(maxSide: number): (frame: Frame) => SourceFrame {
  let key = '';
  let scaler: SoftwareScaleContext | undefined;
  let size: { width: number; height: number } | undefined;
  return frame => {
    const { width, height } = (size ??= evenSize(frame, maxSide));
    if (key !== `${frame.width}×${frame.height} ${frame.format}`) {
      key = `${frame.width}×${frame.height} ${frame.format}`;
      scaler?.freeContext();
      scaler = new SoftwareScaleContext();
      const format = frame.format as typeof AV_PIX_FMT_RGBA;
      scaler.getContext(frame.width, frame.height, format, width, height, AV_PIX_FMT_RGBA, SWS_BILINEAR);
      FFmpegError.throwIfError(scaler.initContext(), 'scaler');
    }
    using out = new Frame();
    out.alloc();
    out.width = width;
    out.height = height;
    out.format = AV_PIX_FMT_RGBA;
    FFmpegError.throwIfError(scaler!.scaleFrameSync(out, frame), 'convert frame');
    return { width, height, data: out.toBuffer() };
  };
}

/** Returns the display size, which differs from the coded size when pixels are not square, scaled to even sides. */
function evenSize({ width, height, sampleAspectRatio: { num, den } }: Frame, maxSide: number) {
  const shown = width * (num > 0 && den > 0 ? num / den : 1);
  const scale = Math.min(1, maxSide / Math.max(shown, height));
  const even = (side: number) => Math.max(2, Math.round((side * scale) / 2) * 2);
  return { width: even(shown), height: even(height) };
}

/** Returns the number of clockwise quarter turns in a display matrix, as phones write it. */
function quarterTurns(matrix: Buffer | null): number {
  if (!matrix || matrix.length < 8) return 0;
  const angle = Math.atan2(matrix.readInt32LE(4), matrix.readInt32LE(0));
  return ((Math.round(angle / (Math.PI / 2)) % 4) + 4) % 4;
}

function turn({ width, height, data }: SourceFrame, turns: number): SourceFrame {
  if (turns === 0) return { width, height, data };
  const from = new Uint32Array(data.buffer.slice(data.byteOffset, data.byteOffset + width * height * 4));
  const to = new Uint32Array(from.length);
  const [w, h] = turns % 2 ? [height, width] : [width, height];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [nx, ny] =
        turns === 1 ? [height - 1 - y, x] : turns === 2 ? [width - 1 - x, height - 1 - y] : [y, width - 1 - x];
      to[ny * w + nx] = from[y * width + x]!;
    }
  }
  return { width: w, height: h, data: new Uint8Array(to.buffer) };
}
