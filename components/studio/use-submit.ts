'use client';

import { useCallback, useEffect, useRef, useState } from 'react';
import { isDoubleClick } from '#components/generations/is-double-click';
import { usePress } from '#components/generations/use-press';
import { dismissSubmission, useVisit } from '#components/generations/visit';
import { aspectOf, changedFields, type Config } from '#components/studio/config';
import { drawSeed, seedsFrom } from '#components/studio/seeds';
import type { CatalogEntry } from '#lib/contract/catalog-entry';
import type { Issue } from '#lib/errors';

const NONE: readonly Issue[] = [];

/** Submits `count` requests of the config; what the server has against the config comes back as `issues` while the form has it, and `send` says false. */
export function useSubmit(entry: CatalogEntry, config: Config, gems: number, count: number) {
  const press = usePress();
  const visit = useVisit();
  // what the server said is of the config it was sent
  const [said, setSaid] = useState({ config, issues: NONE });
  const [open, setOpen] = useState(0);
  const shown = useRef<Config>(undefined);
  useEffect(() => {
    shown.current = config;
    return () => void (shown.current = undefined);
  }, [config]);

  const send = useCallback(async () => {
    if (isDoubleClick('create')) return true;
    setOpen(sending => sending + 1);
    const bodies = toBodies(changedFields(entry, config), count);
    const aspect = aspectOf(entry, config);
    const outcomes = await press(
      bodies.map(body => ({ architecture: entry.id, type: entry.type, body, gems, aspect })),
    );
    setOpen(sending => sending - 1);
    // what is said of another config stands on the stage
    if (shown.current !== config) return true;
    const faulty = outcomes.filter(({ refusal }) => refusal?.code === 'invalid_config');
    for (const { refusal, key } of faulty) {
      if (!refusal) continue;
      // the form shows it, where it can be mended
      setSaid({ config, issues: refusal.issues.length ? refusal.issues : [{ path: '', message: refusal.message }] });
      dismissSubmission(key);
    }
    return faulty.length === 0;
  }, [entry, config, gems, count, press]);

  // what waits for the network or for room goes by itself, and holds up nothing else
  const isSending = open > 0 && !visit.some(({ isWaiting }) => isWaiting);
  return { send, issues: said.config === config ? said.issues : NONE, isSending };
}

/** Several at once differ in their seeds: in a row from the locked one, or from one that is drawn. */
function toBodies(body: Config, count: number): Config[] {
  if (count === 1) return [body];
  const first = typeof body.seed === 'number' ? body.seed : drawSeed();
  return seedsFrom(first, count).map(seed => ({ ...body, seed }));
}
