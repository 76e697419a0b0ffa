import {
  AVCOL_PRI_BT709,
  AVCOL_RANGE_MPEG,
  AVCOL_SPC_SMPTE170M,
  AVCOL_TRC_BT709,
  AV_PIX_FMT_RGBA,
  AV_PIX_FMT_YUV420P,
  FF_ENCODER_AAC,
  FF_ENCODER_LIBX264,
  SWS_BILINEAR,
} from 'node-av/constants';
import { FFmpegError, Frame, Rational, SoftwareScaleContext } from 'node-av/lib';
import { AvOutput } from '#lib/media/av-output';
import { addSoundTrack, sendSound } from '#lib/media/encode-audio';
import { tagsToJson, tagsToText, tagsToTitle } from '#lib/media/media-tags';
import type { StereoSound } from '#lib/media/encode-audio';
import type { MediaTags } from '#lib/media/media-tags';

interface VideoPicture {
  width: number;
  height: number;
  fps: number;
  /** Size of the frames that `draw` writes, when it differs from that of the video; they are scaled. */
  drawn?: { width: number; height: number };
  /** Number of frames; the clip lasts exactly `count / fps` seconds. */
  count: number;
  /** Writes frame `index` into `into` (RGBA, 4 bytes per pixel). Called once for each frame, in order. */
  draw(index: number, into: Uint8Array): void | Promise<void>;
}

/**
 * Writes an H.264 MP4 with its index in front, so that it plays while it is still loading, and with AAC when there is
 * sound. Encoding runs on the calling thread: call it from a worker thread.
 */
export async function encodeVideo(
  path: string,
  picture: VideoPicture,
  sound: StereoSound | null,
  tags: MediaTags,
  quality: { preset: string; crf: number } = { preset: 'veryfast', crf: 21 },
): Promise<void> {
  const { width, height, fps, count, drawn: from = picture } = picture;
  if (width % 2 || height % 2) throw new RangeError(`H.264 needs even sides; got ${width}×${height}`);
  using output = new AvOutput(path, 'mp4', {
    title: tagsToTitle(tags),
    description: tagsToText(tags),
    comment: tagsToJson(tags),
  });
  const video = output.addTrack(
    FF_ENCODER_LIBX264,
    context => {
      context.width = width;
      context.height = height;
      context.pixelFormat = AV_PIX_FMT_YUV420P;
      context.timeBase = new Rational(1, fps);
      context.framerate = new Rational(fps, 1);
      context.gopSize = fps * 2;
      // the matrix that the scaler uses, stated in the file so that players show the right colours
      context.colorSpace = AVCOL_SPC_SMPTE170M;
      context.colorPrimaries = AVCOL_PRI_BT709;
      context.colorTrc = AVCOL_TRC_BT709;
      context.colorRange = AVCOL_RANGE_MPEG;
    },
    quality,
  );
  const audio = sound && addSoundTrack(output, FF_ENCODER_AAC, sound.sampleRate, 128_000);
  output.begin({ movflags: '+faststart' });

  using scaler = new SoftwareScaleContext();
  scaler.getContext(from.width, from.height, AV_PIX_FMT_RGBA, width, height, AV_PIX_FMT_YUV420P, SWS_BILINEAR);
  FFmpegError.throwIfError(scaler.initContext(), 'scaler');
  const pixels = Buffer.alloc(from.width * from.height * 4);
  let heard = 0;
  for (let index = 0; index < count; index++) {
    await picture.draw(index, pixels);
    using drawn = Frame.fromVideoBuffer(pixels, {
      width: from.width,
      height: from.height,
      format: AV_PIX_FMT_RGBA,
      timeBase: { num: 1, den: fps },
    });
    using frame = new Frame();
    frame.alloc();
    frame.width = width;
    frame.height = height;
    frame.format = AV_PIX_FMT_YUV420P;
    FFmpegError.throwIfError(scaler.scaleFrameSync(frame, drawn), 'convert frame');
    frame.pts = BigInt(index);
    frame.duration = 1n;
    video.send(frame);
    if (sound && audio) {
      // sound is sent a second at a time, so that the muxer buffers little
      const until =
        index === count - 1
          ? sound.left.length
          : wholeFrames(((index + 1) / fps) * sound.sampleRate, audio.context.frameSize);
      if (until - heard >= sound.sampleRate || index === count - 1) {
        sendSound(audio, sound, heard, until);
        heard = until;
      }
    }
  }
  video.send(null);
  audio?.send(null);
  output.finish();
}

const wholeFrames = (samples: number, frameSize: number): number => Math.floor(samples / frameSize) * frameSize;
