// What somebody would write who needs this list once: the first page of cars as JSON. Plain JavaScript, so that nothing is made of it first.
const [url, key] = process.argv.slice(2);
const response = await fetch(`${url}/api/v1/cars`, { headers: { 'x-api-key': key } });
if (!response.ok) throw new Error(`${response.status}`);
const { data } = await response.json();
process.stdout.write(`${JSON.stringify(data, null, 2)}\n`);
