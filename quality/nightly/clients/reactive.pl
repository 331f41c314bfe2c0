# Sends the calls on standard input, each as "method address", with a password once it is asked for; prints the statuses.
use strict;
use LWP::UserAgent;

my ($name, $password) = @ARGV;
my $agent = LWP::UserAgent->new;
while (my $line = <STDIN>) {
  my ($method, $address) = split ' ', $line;
  $agent->credentials(URI->new($address)->host_port, 'API', $name, $password);
  print $agent->request(HTTP::Request->new($method, $address))->code, "\n";
}
