import { crc32, deflateSync } from 'node:zlib';
import { BufferTarget, EncodedPacket, EncodedVideoPacketSource, Output, WebMOutputFormat } from 'mediabunny';
import { AV_LOG_FATAL, AV_PIX_FMT_YUV420P, FF_ENCODER_LIBVPX_VP8 } from 'node-av/constants';
import { Codec, CodecContext, FFmpegError, Frame, Log, Packet, Rational } from 'node-av/lib';

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const out = Buffer.alloc(body.length + 8);
  out.writeUInt32BE(data.length);
  body.copy(out, 4);
  out.writeUInt32BE(crc32(body), body.length + 4);
  return out;
}

/** Returns a small file that decodes to a large image: a PNG of one colour, interlaced, so that it is held whole. */
export function makeInterlacedPng(side: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side);
  header.writeUInt32BE(side, 4);
  header.set([8, 2, 0, 0, 1], 8);
  const passes = [
    [0, 0, 8, 8],
    [4, 0, 8, 8],
    [0, 4, 4, 8],
    [2, 0, 4, 4],
    [0, 2, 2, 4],
    [1, 0, 2, 2],
    [0, 1, 1, 2],
  ] as const;
  const bytes = passes.reduce(
    (sum, [x, y, dx, dy]) => sum + Math.ceil((side - y) / dy) * (1 + 3 * Math.ceil((side - x) / dx)),
    0,
  );
  const pixels = deflateSync(Buffer.alloc(bytes), { level: 9 });
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))]);
}

/** Returns an animated PNG of two frames of the same size. A reader without APNG support sees the first one. */
export function makeMovingPng(png: Buffer, next = png): Buffer {
  const at = png.indexOf('IDAT') - 4;
  const end = png.length - 12;
  const nextAt = next.indexOf('IDAT') - 4;
  const pixels = next.subarray(nextAt + 8, nextAt + 8 + next.readUInt32BE(nextAt));
  const numbers = (...values: number[]) => {
    const out = Buffer.alloc(values.length * 4);
    for (const [nth, value] of values.entries()) out.writeUInt32BE(value, nth * 4);
    return out;
  };
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  const frame = (nth: number) =>
    chunk('fcTL', Buffer.concat([numbers(nth, width, height, 0, 0), Buffer.from([0, 1, 0, 10, 0, 0])]));
  return Buffer.concat([
    png.subarray(0, at),
    chunk('acTL', numbers(2, 0)),
    frame(0),
    png.subarray(at, end),
    frame(1),
    chunk('fdAT', Buffer.concat([numbers(2), pixels])),
    png.subarray(end),
  ]);
}

/** Encodes VP8: a grey keyframe and `count - 1` frames without any change, which may be repeated at will. */
export function encodeStill(width: number, height: number, count = 2): Buffer[] {
  Log.setLevel(AV_LOG_FATAL);
  const codec = Codec.findEncoderByName(FF_ENCODER_LIBVPX_VP8)!;
  using context = new CodecContext();
  context.allocContext3(codec);
  Object.assign(context, { width, height, pixelFormat: AV_PIX_FMT_YUV420P, timeBase: new Rational(1, 30) });
  for (const [name, value] of Object.entries({ deadline: 'realtime', 'cpu-used': 8, 'lag-in-frames': 0 }))
    FFmpegError.throwIfError(context.setOption(name, value), name);
  FFmpegError.throwIfError(context.open2Sync(codec), 'open');
  const packets: Buffer[] = [];
  using packet = new Packet();
  packet.alloc();
  for (let index = 0; index <= count; index++) {
    using frame = index < count ? new Frame() : null;
    if (frame) {
      frame.alloc();
      Object.assign(frame, { width, height, format: AV_PIX_FMT_YUV420P, pts: BigInt(index) });
      FFmpegError.throwIfError(frame.getBuffer(0), 'buffer');
      for (const plane of frame.data!) plane.fill(128);
    }
    FFmpegError.throwIfError(context.sendFrameSync(frame), 'encode');
    while (context.receivePacketSync(packet) >= 0) packets.push(Buffer.from(packet.data!));
  }
  return packets;
}

/** Muxes packets into a WebM whose header states `width` × `height`, which only the first packets need to have. */
export async function muxVp8(packets: Buffer[], rate: number, [width, height]: [number, number]): Promise<Buffer> {
  const target = new BufferTarget();
  const output = new Output({ format: new WebMOutputFormat(), target });
  const source = new EncodedVideoPacketSource('vp8');
  output.addVideoTrack(source);
  await output.start();
  const meta = { decoderConfig: { codec: 'vp8', codedWidth: width, codedHeight: height } };
  for (const [index, data] of packets.entries()) {
    // the lowest bit of the first byte is 0 in a keyframe
    const type = (data[0]! & 1) === 0 ? 'key' : 'delta';
    await source.add(new EncodedPacket(data, type, index / rate, 1 / rate), meta);
  }
  await output.finalize();
  return Buffer.from(target.buffer!);
}
