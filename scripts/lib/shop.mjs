// Buys a book in a real, headless browser, and watches the live page. Usage: node shop.mjs ADDRESS [FOLDER], where
// FOLDER takes pictures of the pages. Needs @sparticuz/chromium and puppeteer-core beside the working directory.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const require = createRequire(process.cwd() + '/');
const load = async (name) => (await import(pathToFileURL(require.resolve(name)))).default;
const chromium = await load('@sparticuz/chromium');
const puppeteer = await load('puppeteer-core');

const [address, folder] = process.argv.slice(2);
const browser = await puppeteer.launch({
  args: chromium.args, executablePath: await chromium.executablePath(), headless: 'shell',
});

const expect = (what, holds) => {
  if (!holds) throw new Error('the shop is wrong: ' + what);
};

try {
  const page = await browser.newPage();
  await page.setViewport({ width: 900, height: 700 });
  const faults = [];
  page.on('pageerror', (error) => faults.push(error.message));
  const open = (path) => page.goto(address + path);
  const text = (selector) => page.$eval(selector, (element) => element.textContent);
  const submit = (form) => Promise.all([page.waitForNavigation(), page.click(form + ' button')]);
  const picture = async (name) => folder && page.screenshot({ path: `${folder}/${name}.png` });

  await open('/');
  expect('home greets', (await text('main')).includes('Welcome'));
  await picture('home');
  await open('/search');
  await page.select('select[name=by]', 'TITLE');
  await page.type('input[name=text]', 'BABABABABABAOG');
  await submit('form[action="/results"]');
  await Promise.all([page.waitForNavigation(), page.click('main table a')]);
  await picture('item');
  await submit('form[action="/cart"]');
  await picture('cart');
  await open('/register');
  for (const input of await page.$$('form:last-of-type input[maxlength]')) {
    await input.type('Ada <b>');
  }
  await submit('form:last-of-type');
  const user = await text('#user');
  await page.type('input[name=number]', '4111111111111111');
  await page.type('input[name=name]', 'Ada');
  await submit('form[action="/confirm"]');
  const bought = await text('#order');
  await open('/orders');
  expect('names are text', (await text('main')).includes('Ada <b>'));
  await page.type('input[name=userName]', user);
  await page.type('input[name=password]', user.toLowerCase());
  await submit('form[action="/order"]');
  expect(`the order shown is the one bought, ${bought}`, (await text('#order')) === bought);
  await picture('order');
  await open('/live');
  await page.waitForSelector('#live td');
  const before = await text('#live');
  await page.waitForFunction((old) => document.querySelector('#live').textContent !== old, {}, before);
  await picture('live');
  expect(`scripts fail: ${faults}`, faults.length === 0);
  console.log(`order ${bought} was bought, shown, and the live page moves`);
} finally {
  await browser.close();
}
