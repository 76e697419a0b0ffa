import { z } from 'zod';
import { createCharacter, deleteCharacter, listCharacters } from '#lib/cast/characters';
import { createReference, deleteReference, listReferences } from '#lib/cast/references';
import { characterToWire, referenceToWire } from '#lib/cast/to-wire';
import { newCharacter, newReference, newUpload, referenceKind } from '#lib/contract/cast-schemas';
import { cursor, described } from '#lib/contract/values';
import { limit } from '#lib/mcp/request-tools';
import { ADDS, ENDS, READS, tool, type Tool } from '#lib/mcp/tool';
import { createUploadTicket } from '#lib/uploads/upload-ticket';

const MENTIONED = 'Write its handle as @handle in a prompt.';
const FILES =
  'A file attached to the chat does not reach the service: give an https link, the url of create_upload, or a data URL.';
const id = described('The id, not the handle', z.string());
const deleted = (id: string) => ({ structured: { id, deleted: true } });

/** Tools for uploads, and for the characters and references that prompts may mention. */
export const castTools: Record<string, Tool> = {
  create_upload: tool({
    title: 'Create an upload',
    scope: 'uploads',
    description:
      'A ticket to bring a file in: PUT its bytes to upload_url with exactly these headers within 15 minutes, then use url in any media field. Files attached to a chat do not reach the service by themselves: this, or an https link, is the way.',
    input: z.object({ content_type: newUpload.shape.content_type }),
    annotations: ADDS,
    run: async ({ content_type }, { caller }) => ({
      structured: await createUploadTicket(caller.accountId, content_type),
    }),
  }),

  list_characters: tool({
    title: 'List characters',
    scope: 'read',
    description: `Saved characters of the account, newest first. ${MENTIONED}`,
    input: z.object({ limit, cursor }),
    annotations: READS,
    run: async (page, { caller }) => {
      const { data, nextCursor } = await listCharacters(caller.accountId, page);
      return { structured: { data: data.map(characterToWire), next_cursor: nextCursor } };
    },
  }),

  list_references: tool({
    title: 'List references',
    scope: 'read',
    description: `Saved outfits, poses, locations, objects and audio of the account, newest first. ${MENTIONED}`,
    input: z.object({ limit, cursor, kind: referenceKind.optional() }),
    annotations: READS,
    run: async (page, { caller }) => {
      const { data, nextCursor } = await listReferences(caller.accountId, page);
      return { structured: { data: data.map(referenceToWire), next_cursor: nextCursor } };
    },
  }),

  create_character: tool({
    title: 'Create a character',
    scope: 'cast',
    description: `Saves a person or figure by a portrait, and a voice when there is one, so that it looks the same in every generation. ${MENTIONED} ${FILES}`,
    input: newCharacter,
    annotations: ADDS,
    run: async (input, { caller, signal }) => ({
      structured: characterToWire(await createCharacter(caller, input, signal)),
    }),
  }),

  create_reference: tool({
    title: 'Create a reference',
    scope: 'cast',
    description: `Saves an outfit, pose, location or object by an image, or audio by a clip. ${MENTIONED} ${FILES}`,
    input: newReference,
    annotations: ADDS,
    run: async (input, { caller, signal }) => ({
      structured: referenceToWire(await createReference(caller, input, signal)),
    }),
  }),

  delete_character: tool({
    title: 'Delete a character',
    scope: 'cast',
    description: 'Deletes a character permanently and frees its handle. Ask the person first.',
    input: z.object({ id }),
    annotations: ENDS,
    run: async ({ id }, { caller }) => {
      await deleteCharacter(caller.accountId, id);
      return deleted(id);
    },
  }),

  delete_reference: tool({
    title: 'Delete a reference',
    scope: 'cast',
    description: 'Deletes a reference permanently and frees its handle. Ask the person first.',
    input: z.object({ id }),
    annotations: ENDS,
    run: async ({ id }, { caller }) => {
      await deleteReference(caller.accountId, id);
      return deleted(id);
    },
  }),
};
