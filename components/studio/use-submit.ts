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

/**
 * Submits `count` requests of the config. If the server refuses the config, `send` returns false, and `issues` has the
 * reasons while the form still has that config.
 */
export function useSubmit(entry: CatalogEntry, config: Config, gems: number, count: number) {
  const press = usePress();
  const visit = useVisit();
  // issues are stored with the config that was sent
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
    // the refusal of a config that the form no longer has is shown on the stage
    if (shown.current !== config) return true;
    const faulty = outcomes.filter(({ refusal }) => refusal?.code === 'invalid_config');
    for (const { refusal, key } of faulty) {
      if (!refusal) continue;
      // the form shows the issues where they can be corrected, so the stage does not
      setSaid({ config, issues: refusal.issues.length ? refusal.issues : [{ path: '', message: refusal.message }] });
      dismissSubmission(key);
    }
    return faulty.length === 0;
  }, [entry, config, gems, count, press]);

  // a submission that waits for the network or for room is sent later and does not keep the button busy
  const isSending = open > 0 && !visit.some(({ isWaiting }) => isWaiting);
  return { send, issues: said.config === config ? said.issues : NONE, isSending };
}

/** Several requests differ in their seeds, which are consecutive from the locked seed or from a random one. */
function toBodies(body: Config, count: number): Config[] {
  if (count === 1) return [body];
  const first = typeof body.seed === 'number' ? body.seed : drawSeed();
  return seedsFrom(first, count).map(seed => ({ ...body, seed }));
}
