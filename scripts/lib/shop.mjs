// Buys books in real, headless browsers. Usage: node shop.mjs CHROMIUM PICTURES ADDRESS [ADDRESS]
// With one address a visitor buys a book there. With two, of servers that share nothing but S3 and SQS, two visitors buy
// the same book, one at each; at SERIALIZABLE each sees at once what the other has done. CHROMIUM is a program, or - for
// that of npm; PICTURES a folder for pictures of the pages, or -. Needs puppeteer-core beside the working directory.
import { browse, expect } from './browser.mjs';

const COPIES = 2;
const [program, pictures, first, second] = process.argv.slice(2);

// A browser of its own: one visitor, at one address until she goes to another.
const visit = async (server) => {
  let address = server;
  const { browser, page, faults, text, picture } = await browse(program, pictures);
  const open = (path) => page.goto(address + path);
  const submit = (button) => Promise.all([page.waitForNavigation(), page.click(button)]);
  const goTo = (other) => { address = other; };

  const find = async (title) => {
    await open('/search');
    await page.select('select[name=by]', 'TITLE');
    await page.type('input[name=text]', title);
    await submit('form[action="/results"] button');
    await submit('.rows a');
  };

  // Registers with the cart as it is; returns the user name.
  const register = async (name) => {
    await open('/register');
    for (const input of await page.$$('#new-customer input[maxlength]')) {
      await input.type(name);
    }
    await submit('#new-customer button');
    return text('#user');
  };

  // Returns the order.
  const pay = async () => {
    await page.type('input[name=number]', '4111111111111111');
    await page.type('input[name=name]', 'Ada');
    await page.type('input[name=comment]', 'For <i>you</i>');
    await submit('#payment button');
    return text('#order');
  };

  // Returns the last order of a customer.
  const lastOrder = async (user) => {
    await open('/orders');
    await page.type('input[name=userName]', user);
    await page.type('input[name=password]', user.toLowerCase());
    await submit('#last-order button');
    return text('#order');
  };

  return { browser, goTo, page, faults, text, open, submit, picture, find, register, pay, lastOrder };
};

const buyOne = async () => {
  const ada = await visit(first);
  try {
    await ada.open('/');
    expect('home greets', (await ada.text('main')).includes('Welcome'));
    await ada.picture('home');
    await ada.find('Letters');
    await ada.picture('book');
    await ada.submit('button[name=add]');
    await ada.open('/books/7');
    await ada.submit('button[name=add]');
    await ada.picture('cart');
    const user = await ada.register('Ada <b>');
    await ada.picture('buy');
    const bought = await ada.pay();
    await ada.open('/orders');
    expect('names are text', (await ada.text('main')).includes('Ada <b>'));
    expect(`the order shown is the one bought, ${bought}`, (await ada.lastOrder(user)) === bought);
    expect('comments are text', (await ada.text('main')).includes('For <i>you</i>'));
    await ada.picture('order');
    await ada.open('/live');
    const before = await ada.text('#live');
    await ada.page.waitForFunction((old) => document.querySelector('#live')?.textContent.trim() !== old, {}, before);
    await ada.picture('live');
    expect(`the browser complains: ${ada.faults}`, ada.faults.length === 0);
    console.log(`order ${bought} was bought, shown, and the live page moves`);
  } finally {
    await ada.browser.close();
  }
};

const buyAtTwo = async () => {
  const ada = await visit(first);
  const bob = await visit(second);
  try {
    const shoppers = [ada, bob];
    for (const shopper of shoppers) {
      await shopper.open('/books/9');
    }
    const stock = Number(await bob.text('#stock'));
    for (const shopper of shoppers) {
      await shopper.submit('button[name=add]');
      await shopper.page.$eval('input[type=number]', (input, copies) => { input.value = copies; }, COPIES);
      await shopper.submit('.actions button');
      shopper.user = await shopper.register('Ada');
    }
    const orders = await Promise.all(shoppers.map((shopper) => shopper.pay()));
    expect('two orders are two', orders[0] !== orders[1]);
    // Sold is what both have bought; or a multiple of a delivery of 21 more, which comes when a book runs low.
    for (const shopper of shoppers) {
      await shopper.open('/books/9');
      const left = Number(await shopper.text('#stock'));
      expect(`${left} are left of ${stock}`, (left - stock + 2 * COPIES) % 21 === 0);
    }
    expect('the second server shows the order of the first', (await bob.lastOrder(ada.user)) === orders[0]);
    expect('the first server shows the order of the second', (await ada.lastOrder(bob.user)) === orders[1]);
    await ada.open('/books/9');
    await ada.submit('button[name=add]');
    ada.goTo(second);
    await ada.open('/cart');
    expect('a cart follows its visitor to the second server', (await ada.page.$$('input[type=number]')).length === 1);
    console.log(`orders ${orders.join(' and ')} were bought at two servers, and each shows the other's; so is the cart`);
  } finally {
    await ada.browser.close();
    await bob.browser.close();
  }
};

await (second ? buyAtTwo() : buyOne());
