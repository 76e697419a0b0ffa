'use client';

import { useEffect, useRef, useState } from 'react';
import { encodeWav } from '#components/media/encode-wav';

const RATE = 44_100;
const TICK_MS = 80;
/** Number of loudness values in the meter. */
const METER = 56;
const SILENCE: readonly number[] = Array.from({ length: METER }, () => 0);

interface Session {
  recorder: MediaRecorder;
  end: () => void;
}

/**
 * Records the microphone for at most `seconds` and passes a WAV file to `onDone`. All servers accept WAV, whereas
 * browsers themselves record WebM or MP4.
 */
export function useRecorder(seconds: number, onDone: (file: File) => void) {
  const [state, setState] = useState<'idle' | 'asking' | 'recording' | 'encoding'>('idle');
  const [levels, setLevels] = useState(SILENCE);
  const [elapsed, setElapsed] = useState(0);
  const [error, setError] = useState<string>();
  const session = useRef<Session>(null);
  const done = useRef(onDone);
  useEffect(() => {
    done.current = onDone;
  });
  const isLeft = useRef(false);
  useEffect(() => {
    isLeft.current = false;
    return () => {
      isLeft.current = true;
      session.current?.end();
    };
  }, []);

  async function start() {
    setError(undefined);
    setState('asking');
    try {
      const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
      try {
        session.current = listen(stream);
      } catch (cause) {
        hangUp(stream);
        throw cause;
      }
      // the form was closed while the browser asked for permission
      if (isLeft.current) session.current.end();
      else setState('recording');
    } catch (cause) {
      setState('idle');
      setError(reasonOf(cause));
    }
  }

  function listen(stream: MediaStream): Session {
    const recorder = new MediaRecorder(stream);
    const context = new AudioContext();
    const analyser = context.createAnalyser();
    context.createMediaStreamSource(stream).connect(analyser);
    recorder.start();
    const began = performance.now();
    setLevels(SILENCE);
    setElapsed(0);
    const timer = setInterval(() => {
      const passed = (performance.now() - began) / 1000;
      setElapsed(Math.min(passed, seconds));
      setLevels(all => [...all, loudness(analyser)].slice(-METER));
      if (passed >= seconds && recorder.state === 'recording') recorder.stop();
    }, TICK_MS);
    const end = () => {
      clearInterval(timer);
      hangUp(stream);
      void context.close();
      session.current = null;
    };
    const parts: Blob[] = [];
    recorder.ondataavailable = ({ data }) => parts.push(data);
    recorder.onstop = () => {
      // the form has been unmounted
      if (!session.current) return;
      end();
      setState('encoding');
      toWav(new Blob(parts), seconds).then(
        file => {
          setState('idle');
          done.current(file);
        },
        () => {
          setState('idle');
          setError('The recording was empty. Try again, or choose a file.');
        },
      );
    };
    return { recorder, end };
  }

  return { state, levels, elapsed, error, start: () => void start(), stop: () => session.current?.recorder.stop() };
}

/** Releases the microphone, so that the browser no longer shows it as in use. */
function hangUp(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}

function loudness(analyser: AnalyserNode): number {
  const samples = new Float32Array(analyser.fftSize);
  analyser.getFloatTimeDomainData(samples);
  return Math.min(1, 1.6 * samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0));
}

async function toWav(recording: Blob, seconds: number): Promise<File> {
  const sound = await new OfflineAudioContext(1, 1, RATE).decodeAudioData(await recording.arrayBuffer());
  const mono = new Float32Array(Math.min(sound.length, seconds * RATE));
  for (let channel = 0; channel < sound.numberOfChannels; channel++) {
    const samples = sound.getChannelData(channel);
    for (let i = 0; i < mono.length; i++) mono[i]! += samples[i]! / sound.numberOfChannels;
  }
  return new File([encodeWav([mono], RATE)], 'recording.wav', { type: 'audio/wav' });
}

function reasonOf(cause: unknown): string {
  if (!window.isSecureContext) return 'Browsers record only on https pages and localhost. Choose a file instead.';
  const name = cause instanceof DOMException ? cause.name : '';
  if (name === 'NotAllowedError')
    return 'The browser may not use the microphone. Allow it in the address bar, or choose a file.';
  if (name === 'NotFoundError') return 'No microphone was found. Plug one in, or choose a file.';
  return 'This browser cannot record here. Choose a file instead.';
}
