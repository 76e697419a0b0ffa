/** Largest file that is worth sending, in bytes: workflows, and the images that carry them, are smaller. */
const MOST_BYTES = 32_000_000;

/** Reads a file into the body of `readWorkflow`. The errors it throws tell the operator what to do instead. */
export async function readFile(file: File): Promise<{ text: string } | { base64: string }> {
  if (file.size > MOST_BYTES)
    throw new Error('The file is over 32 MB. Export the workflow itself instead: Workflow → Export (API).');
  if (/json|text/.test(file.type) || file.name.endsWith('.json')) return { text: await file.text() };
  const url = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(new Error('The file cannot be read.'));
    reader.readAsDataURL(file);
  });
  return { base64: url.slice(url.indexOf(',') + 1) };
}
