// What programs that visit the shop in a real, headless browser share. Needs @sparticuz/chromium and puppeteer-core
// beside the working directory.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const require = createRequire(process.cwd() + '/');
const load = async (name) => (await import(pathToFileURL(require.resolve(name)))).default;

export const expect = (what, holds) => {
  if (!holds) throw new Error('the shop is wrong: ' + what);
};

// A browser of its own: one visitor, at one address until it goes to another.
export const visit = async (start, folder) => {
  let address = start;
  const chromium = await load('@sparticuz/chromium');
  const puppeteer = await load('puppeteer-core');
  const browser = await puppeteer.launch({
    args: chromium.args, executablePath: await chromium.executablePath(), headless: 'shell',
  });
  const page = await browser.newPage();
  await page.setViewport({ width: 900, height: 700 });
  const faults = [];
  page.on('pageerror', (error) => faults.push(error.message));
  const text = (selector) => page.$eval(selector, (element) => element.textContent);
  const open = (path) => page.goto(address + path);
  const submit = (form) => Promise.all([page.waitForNavigation(), page.click(form + ' button')]);
  const picture = async (name) => folder && page.screenshot({ path: `${folder}/${name}.png` });

  const find = async (title) => {
    await open('/search');
    await page.select('select[name=by]', 'TITLE');
    await page.type('input[name=text]', title);
    await submit('form[action="/results"]');
    await Promise.all([page.waitForNavigation(), page.click('main table a')]);
  };

  // Registers with the cart as it is; returns the user name.
  const register = async (name) => {
    await open('/register');
    for (const input of await page.$$('form:last-of-type input[maxlength]')) {
      await input.type(name);
    }
    await submit('form:last-of-type');
    return text('#user');
  };

  // Returns the order.
  const pay = async () => {
    await page.type('input[name=number]', '4111111111111111');
    await page.type('input[name=name]', 'Ada');
    await submit('form[action="/confirm"]');
    return text('#order');
  };

  // Returns the last order of a customer.
  const lastOrder = async (user) => {
    await open('/orders');
    await page.type('input[name=userName]', user);
    await page.type('input[name=password]', user.toLowerCase());
    await submit('form[action="/order"]');
    return text('#order');
  };

  const goTo = (other) => { address = other; };

  return { browser, goTo, page, faults, text, open, submit, picture, find, register, pay, lastOrder };
};
