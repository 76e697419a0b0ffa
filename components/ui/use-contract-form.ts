'use client';

import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useForm, type DefaultValues, type FieldValues, type Path, type Resolver } from 'react-hook-form';
import type { z } from 'zod';
import type { ApiError } from '#client/errors';

/**
 * A form of one contract operation, validated with the contract's schema before it is sent. Issues that the server
 * reports are shown at their fields, or in `refusal` if they belong to none.
 */
export function useContractForm<In extends FieldValues, Out, Answer>({
  schema,
  defaultValues,
  send,
  done,
  onDirty,
}: {
  /** Loads the schema when it is first needed: most visits do not fill in the form. */
  schema: () => Promise<z.ZodType<Out, In>>;
  defaultValues: DefaultValues<In>;
  /** Sends the values; `changed` has only those that differ from the defaults. */
  send: (values: Out, changed: Partial<Out>) => Promise<Answer>;
  done: (answer: Answer) => void;
  /** Called with whether there are unsaved changes, for a dialog around the form. */
  onDirty?: ((is: boolean) => void) | undefined;
}) {
  const form = useForm<In, unknown, Out>({
    resolver: useResolver(schema),
    defaultValues,
    shouldFocusError: false,
  });
  const [refusal, setRefusal] = useState<ApiError | null>(null);
  const { errors, isSubmitting, isDirty, dirtyFields, submitCount } = form.formState;
  const sent = useRef<HTMLFormElement>(null);
  // the first invalid field may be out of sight
  useEffect(() => {
    if (submitCount) sent.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [submitCount]);
  // in a layout effect, so that the dialog knows before a press that directly follows the typing
  useLayoutEffect(() => {
    onDirty?.(isDirty);
    return () => onDirty?.(false);
  }, [isDirty, onDirty]);

  const submit = form.handleSubmit(async values => {
    setRefusal(null);
    try {
      const changed = Object.entries(values as object).filter(([name]) => name in dirtyFields);
      const answer = await send(values, Object.fromEntries(changed) as Partial<Out>);
      done(answer);
    } catch (error) {
      const refused = error as ApiError;
      const known = (refused.issues ?? []).flatMap(issue => {
        const name = issue.path.split('/')[1];
        // the message is shown at the field, so it does not repeat the field's name
        const message = issue.message.replace(`${name} must be`, 'Must be');
        return name && name in form.getValues() ? [{ name: name as Path<In>, message }] : [];
      });
      for (const { name, message } of known) form.setError(name, { type: 'server', message });
      if (!known.length) setRefusal(refused);
    }
  });

  /** Returns what is wrong with a field, as a sentence. */
  const problem = (name: Path<In>): string | undefined => {
    const error = errors[name];
    if (typeof error?.message !== 'string') return undefined;
    if (error.type === 'server') return error.message;
    return form.getValues(name) === '' ? 'Fill this in.' : `Must be ${error.message}.`;
  };

  /** Returns the props of an `Input` for a whole number; the value of an empty one is null. */
  const wholeNumber = (name: Path<In>, min = 0) => ({
    type: 'number' as const,
    min,
    step: 1,
    inputMode: 'numeric' as const,
    ...form.register(name, { setValueAs: asNumber }),
  });

  return {
    ...form,
    wholeNumber,
    submit: (event: React.SubmitEvent<HTMLFormElement>) => {
      sent.current = event.currentTarget;
      void submit(event);
    },
    refusal,
    problem,
    busy: isSubmitting,
    dirty: isDirty,
  };
}

function useResolver<In extends FieldValues, Out>(schema: () => Promise<z.ZodType<Out, In>>) {
  const load = useRef(schema);
  useEffect(() => {
    load.current = schema;
  });
  return useCallback<Resolver<In, unknown, Out>>(async (...given) => {
    const parts = await Promise.all([
      import('@hookform/resolvers/zod'),
      import('#lib/contract/words'),
      load.current(),
    ]).catch(() => null);
    // without this code the server still validates; if it cannot be reached, sending reports that
    if (!parts) return { values: given[0] as unknown as Out, errors: {} };
    const [{ zodResolver }, { allowedBy }, loaded] = parts;
    return zodResolver(loaded, { error: allowedBy })(...given);
  }, []);
}

const asNumber = (value: unknown): number | null =>
  value === '' || value === null || value === undefined ? null : Number(value);

/** For `setValueAs` of `register`: turns an empty text into null. */
export const asText = (value: unknown): unknown => (value === '' ? null : value);
